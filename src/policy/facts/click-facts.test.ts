import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Lessons } from '#learn/lessons.ts'
import { impactBidder } from '../acquire/impact.ts'
import { qualityRefresh } from '../refresh/quality.ts'
import type { AskedQuery } from './acquisition-facts.ts'
import { AddressShapes } from './address-shapes.ts'
import { clickFacts, shiftedByClicks } from './click-facts.ts'
import { crawlFacts } from './crawl-facts.ts'
import { QueryKnowledge } from './query-knowledge.ts'
import { QUERIES, smallCrawl } from './small-crawl.test-kit.ts'
import { viewsOfAnswers } from './views.ts'

const DAY = 86_400

/** Some clicks that were all made at one rank. */
const clicked = (url: string, count: number, rank = 1) => ({
  url,
  weight: count * rank,
  squares: count * rank ** 2,
})

/** Facts of a crawl of so many pages whose queries were clicked like that. */
function factsWith(queries: readonly AskedQuery[], pages = 60) {
  const { frontier, index, fetch } = smallCrawl()
  for (let page = 0; page < pages; page++) fetch(page)
  const source = {
    lessons: new Lessons(frontier),
    shapes: new AddressShapes(frontier.urls),
    asked: new QueryKnowledge(frontier, index, queries),
  }
  const now = 9 * DAY
  const moment = { now, seed: 1, budget: 0, candidates: frontier.unfetched(now) }
  const views = ({ asked }: { asked: unknown }) => viewsOfAnswers(asked as never)
  return crawlFacts(source, { ...moment, mayRefetch: () => true }, views)
}

/** The results of the first query, best first, by address. */
function resultsOf(facts: ReturnType<typeof factsWith>): string[] {
  const { urls, kept } = facts.asked!.answers
  return Array.from(urls.subarray(0, kept[0]), (url) => facts.addresses.of(url))
}

const place = (facts: ReturnType<typeof factsWith>, address: string) =>
  facts.pages.findIndex((page) => facts.addresses.of(page) === address)

test('a page that searchers click despite a low rank is refreshed sooner', () => {
  const plain = factsWith(QUERIES)
  const low = resultsOf(plain)[8]
  const queries = QUERIES.map((query, i) =>
    i === 0 ? { ...query, clicks: [clicked(low, 30, 9)] } : query,
  )
  const facts = factsWith(queries)
  const bidOf = (some: typeof facts) => qualityRefresh.bids(some).gains[place(some, low)]
  expect(bidOf(facts)).toBeGreaterThan(1.5 * bidOf(plain))
  // What searchers see is shared out otherwise, but stays as much.
  const total = (some: typeof facts) => some.views.reduce((sum, views) => sum + views, 0)
  expect(total(facts)).toBeCloseTo(total(plain), 12)
  // Its rivals are worth less, and a page that answers another query alone as much as before.
  const rival = resultsOf(plain)[0]
  expect(facts.views[place(facts, rival)]).toBeLessThan(plain.views[place(plain, rival)])
})

test('a page not fetched yet that searchers clicked elsewhere is fetched sooner', () => {
  const plain = factsWith(QUERIES)
  const gainOf = (some: typeof plain, url: number) =>
    impactBidder.bids(some).gains[some.candidates.indexOf(url)]
  const [url] = plain.candidates
  const clicks = [clicked(plain.addresses.of(url), 40)]
  // A query that no link to the page mentions.
  const asked = factsWith(QUERIES.map((query, i) => (i === 4 ? { ...query, clicks } : query)))
  expect(gainOf(asked, url)).toBeGreaterThan(2 * gainOf(plain, url))
})

test('without clicks nothing changes, to the last bit', () => {
  const [plain, empty] = [QUERIES, QUERIES.map((query) => ({ ...query, clicks: [] }))].map((some) =>
    factsWith(some),
  )
  for (const bidder of [qualityRefresh, impactBidder])
    expect(bidder.bids(empty).gains).toEqual(bidder.bids(plain).gains)
  const unknown = [clicked('https://elsewhere.example/', 99), clicked('no address', 99)]
  const stray = factsWith(QUERIES.map((query) => ({ ...query, clicks: unknown })))
  expect(qualityRefresh.bids(stray).gains).toEqual(qualityRefresh.bids(plain).gains)
  expect(impactBidder.bids(stray).gains).toEqual(impactBidder.bids(plain).gains)
})

const answers = { depth: 3, kept: Uint32Array.of(3), urls: Uint32Array.of(0, 1, 2) }
const numberOf = (url: string) =>
  url.startsWith('https://a.org/') ? Number(url.at(-1)) : undefined
const factsOf = (clicks: AskedQuery['clicks']) =>
  clickFacts([{ text: '', weight: 1, clicks }], answers, numberOf)!

test('clicks are believed by their effective number, and half as much as twenty of them', () => {
  const of = (...clicks: ReturnType<typeof clicked>[]) => factsOf(clicks).trust[0]
  expect(of(clicked('https://a.org/0', 20))).toBeCloseTo(0.5)
  expect(of(clicked('https://a.org/0', 20, 9))).toBeCloseTo(0.5)
  // One click at a low rank outweighs many at the first: together they tell little more than it does.
  const [few, many] = [clicked('https://a.org/0', 10), clicked('https://a.org/1', 1, 10)]
  expect(of(few, many)).toBeLessThan(of(clicked('https://a.org/0', 11)))
})

test('what is shared out stays the same, and nothing falls below 0', () => {
  const count = fc.integer({ min: 0, max: 50 })
  const values = fc.array(fc.double({ min: 0, max: 9, noNaN: true }), {
    minLength: 3,
    maxLength: 3,
  })
  fc.assert(
    fc.property(fc.tuple(count, count, count), values, (counts, worths) => {
      const clicks = counts.flatMap((some, page) =>
        some > 0 ? [clicked(`https://a.org/${page}`, some)] : [],
      )
      const before = Float64Array.from(worths)
      const after = shiftedByClicks(before, { depth: 3, clicks: factsOf(clicks) }, 0)
      const sum = (some: Float64Array) => some.reduce((total, value) => total + value, 0)
      expect(sum(after)).toBeCloseTo(sum(before), 9)
      expect(after.every((value) => value >= 0)).toBe(true)
      if (clicks.length === 0) expect(after).toEqual(before)
    }),
  )
})
