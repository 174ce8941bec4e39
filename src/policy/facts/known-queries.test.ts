import { expect, test } from 'vitest'
import { impact } from '../acquire/impact.ts'
import { type Bids, noBids } from '../bids.ts'
import { QueryDriven, type QueryDrivenSetup } from './known-queries.ts'
import { QUERIES, smallCrawl } from './small-crawl.test-kit.ts'

/** A plan of two fetches, after thirty pages, and all that was bid for it. */
function planOf(setup: Partial<QueryDrivenSetup>) {
  const { frontier, index, fetch } = smallCrawl()
  for (let page = 0; page < 30; page++) fetch(page)
  let bids: Bids | undefined
  const policy: QueryDrivenSetup['policy'] = (facts) => {
    bids = impact(facts)
    return bids
  }
  const planner = new QueryDriven({ policy, frontier, index, queries: QUERIES, ...setup })
  const candidates = frontier.unfetched(9)
  const request = { now: 9, seed: 1, candidates, isUnderWay: () => false, otherBids: [] }
  const plan = planner.plan({ ...request, limits: { budget: 2 }, affords: 3 })
  return { plan, candidates, bids }
}

test('where bids are quality, it can be told what more fetches than those planned would gain', () => {
  const { plan, candidates, bids } = planOf({ bidsInQuality: true })
  const total = bids!.gains.reduce((sum, gain) => sum + gain, 0)
  const { fetches, gain } = plan.outlook!(1_000)
  expect(plan.fetches.length).toBe(2)
  expect(fetches).toBe(candidates.length)
  expect(gain).toBeCloseTo(total, 9)
  expect(plan.outlook!(2).gain).toBeLessThan(total)
})

test('nobody can tell where bids are something else, or before there are queries', () => {
  expect(planOf({ bidsInQuality: false }).plan.outlook).toBeUndefined()
  const { plan } = planOf({ bidsInQuality: true, queries: [] })
  expect(plan.fetches.length).toBe(2)
  expect(plan.outlook).toBeUndefined()
})

test('queries are made up when fifty pages are held and when these have doubled, two for each page', async () => {
  const { frontier, index, fetch } = smallCrawl()
  const made = Array.from({ length: 250 }, (_, i) => ({ text: `kite ${i}`, weight: 250 - i }))
  const seen: number[] = []
  const planner = new QueryDriven({
    policy: ({ queries }) => {
      seen.push(queries.length)
      return noBids('acquire')
    },
    frontier,
    index,
    queries: [],
    learns: false,
    madeUp: async () => made,
  })
  for (let pages = 1; pages <= 100; pages++) {
    fetch(pages - 1)
    await planner.renew()
    if ([49, 50, 99, 100].includes(pages))
      planner.consider({ now: 9, seed: 1, budget: 1, candidates: frontier.unfetched(9) })
  }
  expect(seen).toEqual([100, 100, 200]) // with 49 pages nobody is asked
})

test('queries that were made up are told from those that are asked', async () => {
  const { frontier, index, fetch } = smallCrawl()
  for (let page = 0; page < 60; page++) fetch(page)
  const isMadeUp = async (setup: Partial<QueryDrivenSetup>) => {
    const planner = new QueryDriven({ policy: impact, frontier, index, queries: [], ...setup })
    await planner.renew()
    const request = { now: 9, seed: 1, budget: 1, candidates: frontier.unfetched(9) }
    return planner.consider(request).facts!.withoutLog !== undefined
  }
  expect(await isMadeUp({ madeUp: async () => QUERIES })).toBe(true)
  expect(await isMadeUp({ madeUp: async () => QUERIES, queries: QUERIES })).toBe(false)
})

test('a small log has its say beside what is thought without one, a large log alone', async () => {
  const { frontier, index, fetch } = smallCrawl()
  for (let page = 0; page < 60; page++) fetch(page)
  const shares: (number | undefined)[] = []
  const gainsWith = async (queries: QueryDrivenSetup['queries'], hasMore: boolean) => {
    const planner = new QueryDriven({
      ...{ policy: impact, bidsInQuality: true, frontier, index, queries },
      ...(hasMore && { madeUp: async () => QUERIES }),
    })
    await planner.renew()
    const request = { now: 9, seed: 1, budget: 1, candidates: frontier.unfetched(9) }
    const { bids, facts } = planner.consider(request)
    shares.push(facts?.logShare)
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
