import fc from 'fast-check'
import { expect, test } from 'vitest'
import { archiveOf } from '#archive/format/assemble-archive.ts'
import { type SmallVersion, smallArchive } from '#archive/format/small-archive.test-kit.ts'
import { uniformRefresh } from '#policy/refresh/by-age.ts'
import { defaultAnalyser } from '#search/full-text/default-search.ts'
import { powerVisibility } from '#search/gain/visibility.ts'
import { repositoryQuality } from '../metrics/repository-quality.test-kit.ts'
import { onlineRefresher } from './online-refresher.ts'
import { exactGains, gainRates } from './period-gains.ts'
import { clairvoyantRefresher, knownGainRefresher, noRefresher } from './period-refresher.ts'
import { type RefreshScoring, refreshLab, refreshTexts } from './refresh-lab.ts'
import { type Refresher, simulate } from './simulate.ts'

const WEEKS = 4
const QUERIES = ['red', 'green tea', 'blue red'].map((text, i) => ({
  id: `${i}`,
  text,
  weight: i + 1,
}))
const word = fc.constantFrom('red', 'green', 'blue', 'tea')
const texts = fc.array(fc.array(word, { minLength: 1, maxLength: 6 }), {
  minLength: WEEKS,
  maxLength: WEEKS,
})
type Texts = readonly (readonly (readonly string[])[])[]
const webs = fc.array(texts, { minLength: 1, maxLength: 5 })
const urlOf = (page: number) => `http://a.example/${page}`

/** Every page links to the next, so that all have an in-link but the first has none when alone. */
function archiveWith(web: Texts) {
  const pages = web.map((weeks, page): [string, SmallVersion[]] => [
    urlOf(page),
    weeks.map((words, week) => ({
      live: [week, week],
      text: [words.join(' ')],
      links: [[urlOf((page + 1) % web.length), 'next']],
    })),
  ])
  return archiveOf(smallArchive(WEEKS, Object.fromEntries(pages)))
}

/** Scores as the formulas have them, from the words themselves; only for a web of single-word stems. */
function naiveScore(
  web: Texts,
  words: readonly string[],
  query: string,
  scoring: RefreshScoring,
): number {
  const terms = defaultAnalyser.queryTerms(query)
  const counts = terms.map(
    (term) => words.filter((one) => defaultAnalyser.terms(one)[0] === term).length,
  )
  if (counts.includes(0)) return 0
  if (scoring === 'inlinks') return web.length > 1 ? 1 : 0
  return terms.reduce((sum, term, i) => {
    const pagesWith = web.filter(([first]) =>
      first.some((one) => defaultAnalyser.terms(one)[0] === term),
    )
    const idf = 1 + Math.log(web.length / (pagesWith.length + 1))
    return sum + Math.sqrt(counts[i] / words.length) * idf ** 2
  }, 0)
}

/** Any choice of pages, the same for the fast simulation and its twin. */
const choices = fc.array(fc.array(fc.nat(4), { maxLength: 3 }), {
  minLength: WEEKS,
  maxLength: WEEKS,
})

test.each(['tfidf', 'inlinks'] as const)(
  'the quality of a simulated year is that of brute force, week by week: %s',
  (scoring) => {
    fc.assert(
      fc.property(webs, choices, (web, chosen) => {
        const lab = refreshLab(refreshTexts(archiveWith(web), QUERIES), scoring)
        const order = lab.pages.archivePages
        const stored = web.map(([first]) => first)
        const means: number[] = []
        const qualityNow = (week: number) =>
          repositoryQuality(
            QUERIES.map(({ text, weight }) => ({
              weight,
              pages: [...order.keys()],
              storedScores: Array.from(order, (page) =>
                naiveScore(web, stored[page], text, scoring),
              ),
              liveScores: Array.from(order, (page) =>
                naiveScore(web, web[page][week], text, scoring),
              ),
            })),
            powerVisibility,
          ).quality
        const lists = chosen.map((list) => [...new Set(list.map((page) => page % web.length))])
        for (let week = 1; week < WEEKS; week++) {
          means.push(qualityNow(week) ?? Number.NaN)
          for (const page of lists[week]) stored[order[page]] = web[order[page]][week]
          means.push(qualityNow(week) ?? Number.NaN)
        }
        fc.pre(means.every(Number.isFinite))
        const outcome = simulate(lab, { from: 0, to: WEEKS - 1 }, { choose: (week) => lists[week] })
        expect(outcome.quality).toBeCloseTo(means.reduce((a, b) => a + b, 0) / means.length, 9)
        const before = means.filter((_, i) => i % 2 === 0)
        expect(outcome.qualityBefore).toBeCloseTo(
          before.reduce((a, b) => a + b, 0) / before.length,
          9,
        )
      }),
      { numRuns: 60 },
    )
  },
)

const WEB: Texts = Array.from({ length: 12 }, (_, page) =>
  Array.from({ length: WEEKS }, (_, week) =>
    page % 3 === 0 && week >= 1 ? ['red', 'blue', `w${week}`] : ['red', 'tea', 'green', `p${page}`],
  ),
)
const lab = refreshLab(refreshTexts(archiveWith(WEB), QUERIES), 'tfidf')
const period = { from: 0, to: WEEKS - 1 }

test('a run can be repeated exactly, and its fetches are counted', () => {
  const run = () =>
    simulate(
      lab,
      period,
      onlineRefresher(lab, { bidder: uniformRefresh, budget: 2, from: 0, seed: 7 }),
    )
  expect(run()).toEqual(run())
  expect(run().fetches).toBe(2 * (WEEKS - 1))
})

test('knowing helps: nothing, the oldest first, gains known, everything known', () => {
  const qualityOf = (refresher: Refresher) => simulate(lab, period, refresher).quality
  const setup = { from: 0, budget: 4, seed: 7 }
  const none = qualityOf(noRefresher)
  const uniform = qualityOf(onlineRefresher(lab, { bidder: uniformRefresh, ...setup }))
  const known = qualityOf(
    knownGainRefresher(gainRates(WEB.length, period, exactGains(lab, period)), setup),
  )
  const clairvoyant = qualityOf(clairvoyantRefresher(4, 7))
  expect(uniform).toBeGreaterThan(none)
  expect(known).toBeGreaterThan(uniform)
  expect(clairvoyant).toBeGreaterThanOrEqual(known)
})

test('a page that was gone for a week is left out, and so is a redirect', () => {
  const archive = archiveOf(
    smallArchive(3, {
      'http://a.example/always': [{ live: [0, 2], text: ['red'] }],
      'http://a.example/gone': [
        { live: [0, 0], text: ['red'] },
        { live: [2, 2], text: ['red'] },
      ],
      'http://a.example/moved': [{ live: [0, 2], redirect: '/always' }],
    }),
  )
  const { pages } = refreshTexts(archive, QUERIES)
  expect(Array.from(pages.archivePages, (page) => archive.urlOf(page))).toEqual([
    'http://a.example/always',
  ])
})
