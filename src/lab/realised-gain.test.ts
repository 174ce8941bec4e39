import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Archive } from '#archive/format/archive.ts'
import { archiveOf } from '#archive/format/assemble-archive.ts'
import { GainMeter } from '#learn/text-index/gain-meter.ts'
import { cases, firstOf } from '#numeric/cases.test-kit.ts'
import { rankCorrelation } from '#numeric/learning/rank-correlation.ts'
import type { Result } from '#search/full-text/best-results.ts'
import { defaultAnalyser, defaultScoring } from '#search/full-text/default-search.ts'
import { conjunctive, type Scoring, soft, tfIdf } from '#search/full-text/scoring.ts'
import type { PreparedQuery } from '#search/full-text/search-segment.ts'
import { TextIndex } from '#search/full-text/text-index.ts'
import { AffectedQueries } from '#search/gain/affected-queries.ts'
import { GainCurve } from '#search/gain/gain-curve.test-kit.ts'
import { RankCurve } from '#search/gain/rank-curve.ts'
import { sharesOf, type TrackedQuery } from '#search/gain/top-answers.ts'
import { powerVisibility } from '#search/gain/visibility.ts'
import { singleTerms, type Yardstick } from '#search/gain/yardstick.ts'
import { analyser, type SearchablePage } from '#search/text/analysis.ts'
import { searchablePages } from './judging/archive-index.ts'
import { queryQuality } from './metrics/repository-quality.test-kit.ts'
import { generateModelWeb } from './model-web/generate.ts'

/** What a visit finds at a URL: a page, or nothing any more. */
interface Visit {
  readonly url: number
  readonly found: SearchablePage | undefined
}

/** Larger than any URL: of equal scores the page being measured comes last. */
const LAST = 0xffffffff

/** Gain curves with every rank as a knot. */
function exactly(
  index: TextIndex,
  tracked: readonly TrackedQuery[],
  scoring: Scoring,
): Yardstick & { curves: GainCurve[]; refresh(): void } {
  const queries = tracked.map(({ text }) => index.queryWords(text))
  const yardstick = {
    queries,
    shares: sharesOf(tracked),
    scoring,
    curves: [] as GainCurve[],
    refresh: () => {
      yardstick.curves = queries.map((terms) => {
        const results = index.best(index.prepareWords(terms, scoring), index.size)
        return GainCurve.from(results.scores(), powerVisibility)
      })
    },
    curveOf: (query: number) => yardstick.curves[query],
  }
  return yardstick
}

function indexOf(pages: Iterable<[number, SearchablePage]>, analysis = defaultAnalyser): TextIndex {
  const index = new TextIndex(analysis)
  for (const [url, page] of pages) index.replace(url, page)
  return index
}

/** Queries scored by the corpus as it is now, words that no page has yet included. */
function frozen(index: TextIndex, queries: readonly TrackedQuery[], scoring: Scoring) {
  const statistics = index.statistics()
  return queries.map(({ text }): PreparedQuery => {
    const words = index.queryWords(text)
    const weightOf = (forms: readonly number[]) =>
      scoring.weight(index.pagesWithWord(forms), statistics, words.length)
    const weights = words.flatMap((forms) => forms.map(() => weightOf(forms)))
    const totalWeight = words.reduce((sum, forms) => sum + weightOf(forms), 0)
    return { terms: words.flat(), weights, totalWeight, scoring, statistics }
  })
}

/** The change of exact repository quality when a visit corrects one page, all others being current. */
function qualityGained(
  results: readonly (readonly Result[])[],
  shares: Float64Array,
  url: number,
  newScores: readonly number[],
): number {
  return shares.reduce((sum, share, query) => {
    const others = results[query].filter((result) => result.url !== url)
    const own = results[query].find((result) => result.url === url)?.score ?? 0
    const scores = others.map(({ score }) => score)
    const liveScores = [...scores, newScores[query]]
    const asked = { weight: 1, pages: [...others.map((result) => result.url), LAST], liveScores }
    const before = queryQuality({ ...asked, storedScores: [...scores, own] }, powerVisibility)
    const after = queryQuality({ ...asked, storedScores: liveScores }, powerVisibility)
    return sum + share * (after.earned - before.earned)
  }, 0)
}

/** Runs a cycle under the meter; gives each visit's gain beside the change of exact quality. */
function measureCycle(
  index: TextIndex,
  visits: readonly Visit[],
  queries: readonly TrackedQuery[],
  scoring: Scoring,
): { measured: number; exact: number }[] {
  const meter = new GainMeter(index, exactly(index, queries, scoring))
  const prepared = frozen(index, queries, scoring)
  const results = prepared.map((query) => index.search(query, index.size))
  meter.begin()
  for (const visit of visits) take(index, visit, meter)
  meter.end()
  return visits.map(({ url }) => {
    const newScores = prepared.map((query) => index.scoreOf(url, query))
    const exact = qualityGained(results, sharesOf(queries), url, newScores)
    return { measured: meter.gainOf(url), exact }
  })
}

function take(index: TextIndex, { url, found }: Visit, meter: GainMeter): void {
  meter.before(url)
  if (found) index.replace(url, found)
  else index.remove(url)
  meter.after(url)
}

describe.each([
  ['default', defaultScoring],
  ['TF-IDF, conjunctive', tfIdf(conjunctive)],
  ['TF-IDF, soft', tfIdf(soft(1))],
])('%s scoring', (_, scoring) => {
  test('the gain measured is the change of exact quality, for every event and among ties', () => {
    const words = ['cat', 'dog', 'fish', 'bird', 'newt']
    // Few words and short texts: many pages tie.
    const aPage = fc
      .array(fc.constantFrom(...words), { minLength: 1, maxLength: 5 })
      .map((list) => ({ url: 'https://a.org/', title: '', text: list.join(' '), anchors: [] }))
    const queries = [
      { text: 'cat', weight: 3 },
      { text: 'dog fish', weight: 2 },
      { text: 'bird cat newt', weight: 1 },
    ]
    const changes = fc.uniqueArray(
      fc.record({ url: fc.nat(20), found: fc.option(aPage, { nil: undefined }) }),
      { maxLength: 6, selector: ({ url }) => url },
    )
    fc.assert(
      fc.property(fc.array(aPage, { minLength: 1, maxLength: 15 }), changes, (pages, visits) => {
        const index = indexOf(pages.entries(), analyser({ stemming: false }))
        for (const { measured, exact } of measureCycle(index, visits, queries, scoring)) {
          expect(Math.abs(measured - exact)).toBeLessThan(1e-9)
          expect(measured).toBeGreaterThan(-1e-12)
        }
      }),
      { numRuns: cases(40, 150) },
    )
  })
})

test('the first pages of all are scored by what the corpus is afterwards', () => {
  const index = new TextIndex(defaultAnalyser)
  const page = (text: string) => ({ url: 'https://a.org/', title: text, text, anchors: [] })
  const queries = [{ text: 'whale', weight: 1 }]
  const meter = new GainMeter(index, exactly(index, queries, defaultScoring))
  meter.begin()
  for (const [url, text] of ['whale song', 'squid', 'giant whale'].entries())
    take(index, { url, found: page(text) }, meter)
  meter.end()
  const [query] = frozen(index, queries, defaultScoring)
  for (const url of [0, 1, 2]) expect(meter.gainOf(url)).toBe(index.scoreOf(url, query))
  expect(meter.gainOf(0)).toBeGreaterThan(0)
})

describe.each(firstOf(1, [1, 23]))('on a changing model web, seed %d', (seed) => {
  const WEEK = 6
  let archive: Archive
  let queries: TrackedQuery[]
  let before: [number, SearchablePage][]
  let visits: Visit[]

  beforeAll(() => {
    const records = generateModelWeb({ seed, pages: 3000, weeks: 2 * WEEK })
    archive = archiveOf(records)
    queries = records
      .workload!.queries.toSorted((a, b) => b.weight - a.weight)
      .slice(0, 250)
      .map(({ text, weight }) => ({ text, weight }))
    before = [...searchablePages(archive, WEEK - 1)]
    const after = new Map(searchablePages(archive, 2 * WEEK - 1))
    const old = new Map(before)
    const gone = before.filter(([url]) => !after.has(url)).map(([url]) => url)
    const changed = [...after].filter(([url, page]) => old.get(url)?.text !== page.text)
    visits = [
      ...gone.map((url) => ({ url, found: undefined })),
      ...changed.map(([url, found]) => ({ url, found })),
    ]
  })

  test('the gain measured is the change of exact quality', () => {
    const index = indexOf(before)
    const some = visits.filter((_, i) => i % Math.ceil(visits.length / 40) === 0)
    const gains = measureCycle(index, some, queries, defaultScoring)
    expect(gains.length).toBeGreaterThan(25)
    for (const { measured, exact } of gains) expect(Math.abs(measured - exact)).toBeLessThan(1e-9)
    expect(gains.filter(({ exact }) => exact > 0).length).toBeGreaterThan(15)
  })

  test.each([
    ['default', defaultScoring],
    ['TF-IDF', tfIdf(conjunctive)],
  ])('three pieces rank fetches as the exact curve does, by %s scoring', (_, scoring) => {
    const index = indexOf(before)
    const exact = exactly(index, queries, scoring)
    exact.refresh()
    const pieces = exact.queries.map((terms) => {
      const results = index.best(index.prepareWords(terms, scoring), index.size)
      return new RankCurve(results.scores())
    })
    const affected = new AffectedQueries(index, exact.queries, scoring)
    for (const { url, found } of visits) {
      affected.noteOld(url)
      if (found) index.replace(url, found)
      else index.remove(url)
      affected.noteNew(url)
    }
    let moves = 0
    let negative = 0
    const gains = affected.readCopies().map(() => ({ exact: 0, approximate: 0 }))
    exact.shares.forEach((share, query) => {
      const count = affected.compare(query)
      for (let i = 0; i < count; i++) {
        const gain = gains[affected.visits[i]]
        const [stored, truth] = [affected.oldScores[i], affected.newScores[i]]
        const approximate = pieces[query].gainOfResult(stored, truth)
        gain.exact += share * exact.curveOf(query).gainOfResult(stored, truth, 0)
        gain.approximate += share * Math.max(0, approximate)
        moves++
        if (approximate < 0) negative++
      }
    })
    // Fetches that were worth nothing would only flatter: both sides know those.
    const worthy = gains.filter(({ exact }) => exact > 1e-9)
    const agreement = rankCorrelation(
      worthy.map(({ exact }) => exact),
      worthy.map(({ approximate }) => approximate),
    )
    expect(worthy.length).toBeGreaterThan(300)
    expect(agreement).toBeGreaterThan(0.95)
    expect(negative / moves).toBeLessThan(0.01)
  })

  test('measuring, by queries or by terms, leaves the answers of the index as they are', () => {
    const plain = indexOf(before)
    const measured = indexOf(before)
    const meters = [
      new GainMeter(measured, exactly(measured, queries, defaultScoring)),
      new GainMeter(measured, singleTerms(measured, queries, defaultScoring)),
    ]
    for (const meter of meters) meter.begin()
    for (const visit of visits) {
      const { url, found } = visit
      for (const meter of meters) meter.before(url)
      for (const index of [plain, measured])
        if (found) index.replace(url, found)
        else index.remove(url)
      for (const meter of meters) meter.after(url)
    }
    for (const meter of meters) meter.end()
    expect(measured.statistics()).toEqual(plain.statistics())
    for (const { text } of queries) {
      const answers = (index: TextIndex) => index.search(index.prepare(text, defaultScoring), 50)
      expect(answers(measured)).toEqual(answers(plain))
    }
    const gains = meters.map((meter) => visits.map(({ url }) => meter.gainOf(url)))
    expect(gains[1].every((gain) => gain >= 0)).toBe(true)
    expect(rankCorrelation(gains[0], gains[1])).toBeGreaterThan(0.5)
  })
})
