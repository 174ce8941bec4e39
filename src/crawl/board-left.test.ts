import { expect, test } from 'vitest'
import { Frontier } from '#frontier/frontier.ts'
import { planFetches } from '#policy/budget/scheduler.ts'
import type { Planner } from '#policy/planning/plan.ts'
import { crawl } from './crawl.ts'
import { LateFetcher } from './late-fetcher.test-kit.ts'
import { MemoryStore } from './memory-store.ts'
import { crawlState } from './plan-cycle.ts'

/** Any order will do; whatever the budget does not afford is the reserve. */
const planner: Planner = {
  async renew() {},
  plan: ({ candidates: urls, limits }) => {
    const gains = new Float64Array(urls.length)
    const bids = { purpose: 'acquire' as const, urls, gains, why: () => '' }
    const all = planFetches([bids], { ...limits, budget: urls.length })
    return { fetches: all.slice(0, limits.budget), reserved: all.slice(limits.budget) }
  },
}

/** Runs twice, the second time up to a larger budget: what was sent before the second run's first plan, and in all. */
async function twoRuns(budgets: readonly [number, number], newSeeds: number) {
  const fetcher = new LateFetcher()
  const state = crawlState(new Frontier())
  const { frontier } = state
  frontier.add('https://a.org/', 'seed', 0, 1)
  for (let page = 0; page < 90; page++) frontier.add(`https://a.org/${page}`, 'link', 1, 1)
  const ports = { fetcher, repository: new MemoryStore(), clock: { now: () => 1 } }
  const crawlTo = (budget: number, policy: Planner) =>
    crawl(state, { policy, seed: 1 }, ports, { budget, batch: 4 }, new AbortController().signal)
  await crawlTo(budgets[0], planner)
  const sent = new Set(fetcher.sent)
  const left = (await ports.repository.boardLeft()).filter((url) => !sent.has(url))
  for (let seed = 0; seed < newSeeds; seed++) frontier.add(`https://b.org/${seed}`, 'seed', 0, 1)
  let early: number[] | undefined
  const renew = async () => {
    if (early) return
    fetcher.send(3)
    early = fetcher.sent.slice(sent.size)
  }
  await crawlTo(budgets[1], { ...planner, renew })
  return { left, early, sent: fetcher.sent, state }
}

test('while a further run makes its first plan, it sends what the last one left on its board, the best first', async () => {
  const { left, early, sent, state } = await twoRuns([8, 20], 0)
  expect(early).toEqual(left.slice(0, 3))
  expect(early?.length).toBe(3)
  expect({ spent: state.spent, sent: sent.length }).toEqual({ spent: 20, sent: 20 })
  expect(new Set(sent).size).toBe(20)
})

test('what was left on a board is sent within the budget', async () => {
  const { early, sent } = await twoRuns([8, 10], 0)
  expect({ early: early?.length, sent: sent.length }).toEqual({ early: 2, sent: 10 })
})

test('seeds that wait keep their part of the budget from what was left on a board', async () => {
  const { early, state } = await twoRuns([8, 11], 2)
  expect(early?.length).toBe(1)
  expect(state.frontier.unfetchedSeeds(1).length).toBe(0)
})
