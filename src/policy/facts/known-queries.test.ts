import { expect, test } from 'vitest'
import { Lessons } from '#learn/lessons.ts'
import { impactBidder, impactGrounds } from '../acquire/impact.ts'
import type { Bidder } from '../bidder.ts'
import { newPagesPlanner } from '../planning/budget-planner.ts'
import { KnownQueries, type KnownQueriesSetup, sketchedQueries } from './known-queries.ts'
import { QUERIES, smallCrawl } from './small-crawl.test-kit.ts'

type Setup = Partial<KnownQueriesSetup>

/** A crawl of so many pages, and who plans it. */
function planning(pages: number, setup: Setup, bidder: Bidder = impactBidder) {
  const { frontier, index, fetch } = smallCrawl()
  for (let page = 0; page < pages; page++) fetch(page)
  const queries = new KnownQueries({ frontier, index, queries: QUERIES, reader: bidder, ...setup })
  const planner = newPagesPlanner(bidder, new Lessons(frontier), queries)
  const request = () => ({
    now: 9,
    seed: 1,
    candidates: frontier.unfetched(9),
    limits: { budget: 2 },
  })
  const plan = () =>
    planner.plan({ ...request(), isUnderWay: () => false, otherBids: [], affords: 3 })
  return { fetch, queries, planner, plan, draft: () => planner.draft(request()) }
}

test('where bids are quality, it can be told what more fetches than those planned would gain', () => {
  const { plan, draft } = planning(30, {})
  const { acquire: bids } = draft()
  const total = bids.gains.reduce((sum, gain) => sum + gain, 0)
  const { fetches, outlook } = plan()
  expect(fetches.length).toBe(2)
  expect(outlook!(1_000).fetches).toBe(bids.urls.length)
  expect(outlook!(1_000).gain).toBeCloseTo(total, 9)
  expect(outlook!(2).gain).toBeLessThan(total)
})

test('nobody can tell where bids are something else, or before there are queries', () => {
  expect(planning(30, {}, { ...impactBidder, unit: 'rank' }).plan().outlook).toBeUndefined()
  const { fetches, outlook } = planning(30, { queries: [] }).plan()
  expect(fetches.length).toBe(2)
  expect(outlook).toBeUndefined()
})

test('queries are synthesised when fifty pages are held and when these have doubled, two for each page', async () => {
  const made = Array.from({ length: 250 }, (_, i) => ({ text: `kite ${i}`, weight: 250 - i }))
  const { fetch, queries } = planning(0, { queries: [], synthesise: async () => made })
  const seen: (number | undefined)[] = []
  for (let pages = 1; pages <= 100; pages++) {
    fetch(pages - 1)
    await queries.renew()
    const moment = { visits: new Uint32Array(pages), fetches: pages, now: 9 }
    if ([49, 50, 99, 100].includes(pages))
      seen.push(queries.synthetic?.facts(moment).queries.length)
  }
  expect(seen).toEqual([undefined, 100, 100, 200]) // with 49 pages nobody is asked
})

test('synthetic queries are told from those that are asked', async () => {
  const isSynthetic = async (setup: Setup) => {
    const { planner, draft } = planning(60, setup)
    await planner.renew()
    return impactGrounds(draft().facts)!.facts.withoutLog !== undefined
  }
  const synthesise = async () => QUERIES
  expect(await isSynthetic({ synthesise, queries: [] })).toBe(true)
  expect(await isSynthetic({ synthesise })).toBe(false)
})

test('who only orders pages looks for words of synthetic queries like any others', async () => {
  const setup = { queries: [], synthesise: async () => QUERIES, reader: { unit: 'rank' } as const }
  const { planner, draft } = planning(60, setup)
  await planner.renew()
  const { candidates, synthetic } = draft().facts
  expect(synthetic!.isSynthetic).toBe(false)
  expect([...candidates].some((url) => synthetic!.words.strings(url).anchors.length > 0)).toBe(true)
})

test('a small log has its say beside synthetic queries, a large log alone', async () => {
  const shares: (number | undefined)[] = []
  const gainsWith = async (queries: KnownQueriesSetup['queries'], hasMore: boolean) => {
    const more = hasMore && { synthesise: async () => QUERIES }
    const { planner, draft } = planning(60, { queries, ...more })
    await planner.renew()
    const { acquire: bids, facts } = draft()
    shares.push(impactGrounds(facts)?.facts.logShare)
    return bids.gains
  }
  const log = (size: number) =>
    Array.from({ length: size }, (_, i) => ({ text: `nothing ${i}`, weight: 1 }))
  const [small, alone, without] = [
    await gainsWith(log(5), true),
    await gainsWith(log(5), false),
    await gainsWith([], true),
  ]
  small.forEach((gain, i) => {
    expect(gain).toBeCloseTo((5 * alone[i] + 10 * without[i]) / 15, 12)
  })
  expect(shares).toEqual([1 / 3, undefined, undefined])
  expect(Math.max(...without)).toBeGreaterThan(0)
  expect(await gainsWith(log(50), true)).toEqual(await gainsWith(log(50), false))
})

const weighed = [3, 9, 1, 7, 5].map((weight) => ({ text: `asked ${weight} times`, weight }))
const weightsOf = (some: readonly { weight: number }[]) => some.map(({ weight }) => weight)

test('the queries asked most get sketches, and the others teach', () => {
  const { sketched, lessons } = sketchedQueries(weighed, 0.4)
  expect(weightsOf(sketched)).toEqual([9, 7])
  expect(weightsOf(lessons)).toEqual([3, 1, 5])
})

test('all of them do if that is wanted, but never more than there is room for', () => {
  expect(sketchedQueries(weighed, 1)).toEqual({ sketched: weighed, lessons: [] })
  expect(weightsOf(sketchedQueries(weighed, 1, 1).sketched)).toEqual([9])
})

test('however small the share, one query has a sketch', () => {
  expect(weightsOf(sketchedQueries(weighed, 0.001).sketched)).toEqual([9])
})
