import { expect, test } from 'vitest'
import { impact } from '#policy/acquire/impact.ts'
import type { Bids } from '#policy/bids.ts'
import { QueryDriven, type QueryDrivenSetup } from './query-driven.ts'
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
