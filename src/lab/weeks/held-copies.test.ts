import fc from 'fast-check'
import { expect, test } from 'vitest'
import { archiveOf } from '#archive/format/assemble-archive.ts'
import { smallArchive } from '#archive/format/small-archive.test-kit.ts'
import { defaultAnalyser, defaultScoring } from '#search/full-text/default-search.ts'
import { TextIndex } from '#search/full-text/text-index.ts'
import type { Query } from '#workload/workload.ts'
import { repositoryQuality } from '../metrics/repository-quality.test-kit.ts'
import { HeldCopies } from './held-copies.ts'
import { WeeklyTruth } from './weekly-truth.ts'

const query = (text: string): Query => ({ id: text, text, weight: 1 })

test('a stale copy keeps its rank and earns what its page is worth now', () => {
  const archive = archiveOf(
    smallArchive(3, {
      'https://a.example/1': [
        { live: [0, 0], title: 'apple', text: ['apple'] },
        { live: [1, 2], title: 'plum', text: ['plum'] },
      ],
      'https://a.example/2': [{ live: [0, 1], title: 'garden', text: ['an apple tree'] }],
    }),
  )
  const truth = WeeklyTruth.of(archive, [query('apple')], Float64Array.of(1))
  const copies = HeldCopies.none(truth)
  expect(copies.quality()).toBe(0)
  copies.fetched('https://a.example/1')
  copies.fetched('https://a.example/2')
  copies.fetched('https://a.example/sitemap.xml')
  expect(copies.quality()).toBeCloseTo(1, 12)
  copies.nextWeek()
  // The best answer is second, behind a page that says something else now.
  expect(copies.quality()).toBeCloseTo(2 ** -1.5, 12)
  expect(copies.stale()).toEqual({ held: 2, stale: 1 })
  const visited = copies.copy()
  visited.fetched('https://a.example/1')
  expect(visited.quality()).toBeCloseTo(1, 12)
  expect(copies.quality()).toBeCloseTo(2 ** -1.5, 12)
  visited.nextWeek()
  expect(visited.quality()).toBe(1) // nothing answers any more
  expect(visited.stale()).toEqual({ held: 2, stale: 1 })
  visited.fetched('https://a.example/2')
  expect(visited.stale()).toEqual({ held: 1, stale: 0 })
})

test('what robots.txt forbids and what is elsewhere now is nobody’s to hold', () => {
  const archive = archiveOf(
    smallArchive(
      2,
      {
        'https://a.example/open': [{ live: [0, 1], title: 'apple' }],
        'https://a.example/shut': [{ live: [0, 1], title: 'apple apple' }],
        'https://a.example/old': [
          { live: [0, 0], title: 'apple' },
          { live: [1, 1], redirect: 'https://a.example/new' },
        ],
        'https://a.example/new': [{ live: [1, 1], title: 'apple' }],
      },
      { robots: { 'a.example': 'User-agent: *\nDisallow: /shut\n' } },
    ),
  )
  const truth = WeeklyTruth.of(archive, [query('apple')], Float64Array.of(1))
  expect([...truth.fetchable]).toEqual([2, 2])
  const copies = HeldCopies.none(truth)
  copies.fetched('https://a.example/open')
  copies.fetched('https://a.example/old')
  expect(copies.quality()).toBeCloseTo(1, 12)
  expect(truth.pageOf('https://a.example/shut')).toBeUndefined()
  const page = truth.pageOf('https://a.example/new')!
  expect(truth.births()).toEqual([{ page, born: 1, lastLive: 1 }])
  copies.nextWeek()
  copies.fetched('https://a.example/old')
  copies.fetched('https://a.example/new')
  expect(copies.quality()).toBeCloseTo(1, 12)
})

/** Little texts by page and week; an empty one is a page that is not there. */
const WEEKS = 3
const texts = fc.array(fc.constantFrom('red', 'green', 'blue'), { maxLength: 4 })
const pages = fc
  .array(texts, { minLength: WEEKS, maxLength: WEEKS })
  .filter((weeks) => weeks.some((words) => words.length > 0))
const webs = fc.array(pages, { minLength: 1, maxLength: 5 })
const QUERIES = ['red', 'green blue', 'blue'].map(query)
const WEIGHTS = Float64Array.of(3, 0, 1)
const urlOf = (page: number) => `https://a.example/${page}`

test('quality is that of the scores written out for every copy and page', () => {
  const visits = fc.array(fc.array(fc.nat(4), { maxLength: 4 }), {
    minLength: WEEKS,
    maxLength: WEEKS,
  })
  fc.assert(
    fc.property(webs, visits, (web, visitsByWeek) => {
      const { truth, scoreOf } = madeReady(web)
      const copies = HeldCopies.none(truth)
      const copyWeeks = new Map<number, number>()
      for (let week = 0; week < WEEKS; week++) {
        if (week > 0) copies.nextWeek()
        for (const page of visitsByWeek[week].filter((visited) => visited < web.length)) {
          copies.fetched(urlOf(page))
          copyWeeks.set(page, week)
        }
        const numbered = web.map((_, page) => truth.pageOf(urlOf(page)) ?? Number.NaN)
        const liveScores = (asked: Query) => web.map((_, page) => scoreOf(page, week, asked))
        const storedScores = (asked: Query) =>
          web.map((_, page) =>
            copyWeeks.has(page) ? scoreOf(page, copyWeeks.get(page)!, asked) : 0,
          )
        const { quality = 1 } = repositoryQuality(
          QUERIES.map((asked, i) => ({
            weight: WEIGHTS[i],
            pages: numbered,
            storedScores: storedScores(asked),
            liveScores: liveScores(asked),
          })),
        )
        expect(copies.quality()).toBeCloseTo(quality, 10)
      }
    }),
    { numRuns: 60 },
  )
})

/** The truth of a little web, and what a page's words of a week score for a query, asked one by one. */
function madeReady(web: readonly (readonly (readonly string[])[])[]) {
  const versionsByPage = web.map((weeks) =>
    weeks.flatMap((words, week) =>
      words.length === 0 ? [] : { live: [week, week] as const, title: '', text: [words.join(' ')] },
    ),
  )
  const archive = archiveOf(
    smallArchive(
      WEEKS,
      Object.fromEntries(versionsByPage.map((versions, page) => [urlOf(page), versions])),
    ),
  )
  const index = new TextIndex(defaultAnalyser)
  const numberOf = new Map<string, number>()
  versionsByPage.forEach((versions, page) => {
    for (const { text } of versions) {
      const key = `${page} ${text}`
      if (numberOf.has(key)) continue
      numberOf.set(key, numberOf.size)
      index.replace(numberOf.get(key)!, {
        url: urlOf(page),
        title: '',
        text: text[0],
        anchors: [],
      })
    }
  })
  const scoreOf = (page: number, week: number, asked: Query) => {
    const number = numberOf.get(`${page} ${web[page][week].join(' ')}`)
    const results = index.search(index.prepare(asked.text, defaultScoring), 100)
    return results.find(({ url }) => url === number)?.score ?? 0
  }
  return { truth: WeeklyTruth.of(archive, QUERIES, WEIGHTS), scoreOf }
}
