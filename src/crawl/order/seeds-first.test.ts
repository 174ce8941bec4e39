import { expect, test } from 'vitest'
import { Frontier } from '#frontier/frontier.ts'
import { type FetchLimits, planFetches } from '#policy/budget/scheduler.ts'
import { breadthFirst } from '#policy/orders/link-orders.ts'
import { newPagesPlanner } from '#policy/planning/budget-planner.ts'
import type { Plan } from '#policy/planning/plan.ts'
import { crawlState, planCycle } from '../plan-cycle.ts'
import { planSeedsFirst } from './seeds-first.ts'

/** Bids for URLs 0 to 9, the last one most; the reserve is what the list leaves out. */
function plan(limits: FetchLimits): Plan {
  const urls = Uint32Array.from({ length: 10 }, (_, url) => url)
  const bids = { purpose: 'acquire' as const, urls, gains: Float64Array.from(urls), why: () => '' }
  const fetches = planFetches([bids], limits)
  const all = planFetches([bids], { ...limits, budget: 10 })
  return { fetches, reserved: all.slice(fetches.length), price: 3 }
}

const urlsOf = ({ fetches }: Plan) => fetches.map(({ url }) => url)

test('seeds lead a plan, the best first, and the others get what is left', () => {
  const made = planSeedsFirst(Uint32Array.of(0, 2), 10, { budget: 4 }, plan)
  expect(urlsOf(made)).toEqual([2, 0, 9, 8])
  expect(made.reserved?.map(({ url }) => url)).toEqual([7, 6, 5, 4, 3, 1])
  expect(made.price).toBe(3)
  expect(made.fetches.map(({ why }) => why().includes('a seed'))).toEqual([
    true,
    true,
    false,
    false,
  ])
})

test('more seeds than budget leave nothing to others, and wait in the reserve before these', () => {
  const made = planSeedsFirst(Uint32Array.of(0, 1, 2), 10, { budget: 2 }, plan)
  expect(urlsOf(made)).toEqual([2, 1])
  expect(made.reserved?.map(({ url }) => url)).toEqual([0, 9, 8, 7, 6, 5, 4, 3])
})

test('without seeds that wait a plan is what it was', () => {
  expect(urlsOf(planSeedsFirst(new Uint32Array(), 10, { budget: 3 }, plan))).toEqual([9, 8, 7])
})

test('seeds count against quotas like others, and what they took is gone for the others', () => {
  const groups = Uint32Array.from({ length: 10 }, (_, url) => url % 2)
  const limits = { budget: 6, quotas: [{ groups, most: 2 }] }
  expect(urlsOf(planSeedsFirst(Uint32Array.of(0, 2, 4), 10, limits, plan))).toEqual([4, 2, 9, 7])
})

test('URLs that a quota exempts take no place from others', () => {
  const groups = new Uint32Array(10)
  const quotas = [{ groups, most: 2, isExempt: (url: number) => url === 0 }]
  expect(urlsOf(planSeedsFirst(Uint32Array.of(0), 10, { budget: 5, quotas }, plan))).toEqual([
    0, 9, 8,
  ])
})

test('seeds and others are planned from the same bids, which are made once for the whole budget', () => {
  const state = crawlState(new Frontier())
  for (let page = 0; page < 6; page++)
    state.frontier.add(`https://${page}.org/`, page < 2 ? 'seed' : 'link', page, 1)
  const budgets: number[] = []
  const counting = {
    ...breadthFirst,
    bids: (facts: Parameters<typeof breadthFirst.bids>[0]) => {
      budgets.push(facts.budget)
      return breadthFirst.bids(facts)
    },
  }
  const rules = { policy: newPagesPlanner(counting, state.lessons), seed: 1 }
  expect(urlsOf(planCycle(state, rules, { budget: 4 }, 2))).toEqual([0, 1, 2, 3])
  expect(budgets).toEqual([4])
})
