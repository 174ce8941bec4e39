import { expect, test } from 'vitest'
import { Frontier } from '#frontier/frontier.ts'
import { planFetches } from '#policy/budget/scheduler.ts'
import type { Planner } from '#policy/planning/plan.ts'
import { crawl } from './crawl.ts'
import { LateFetcher } from './late-fetcher.test-kit.ts'
import { MemoryStore } from './memory-store.ts'
import { crawlState } from './plan-cycle.ts'

/** Each plan prefers what the one before rated lowest, so that no two boards have much in common. */
function fickle(): Planner {
  let turn = 1
  return {
    async renew() {},
    plan: ({ candidates: urls, limits }) => {
      turn = -turn
      const gains = Float64Array.from(urls, (url) => turn * url)
      const bids = { purpose: 'acquire' as const, urls, gains, why: () => '' }
      const all = planFetches([bids], { ...limits, budget: urls.length })
      return { fetches: all.slice(0, limits.budget), reserved: all.slice(limits.budget) }
    },
  }
}

test.each(['maxPagesPerHost', 'maxPagesPerDomain'] as const)(
  'whatever is sent while plans are made, %s is never exceeded',
  async (cap) => {
    const fetcher = new LateFetcher()
    const state = crawlState(new Frontier())
    for (let page = 0; page < 40; page++) state.frontier.add(`https://a.org/${page}`, 'link', 1, 1)
    const repository = new MemoryStore()
    repository.beginCycle = async () => fetcher.send(2) // nobody hears of it until the fetcher is asked
    const ports = { fetcher, repository, clock: { now: () => 1 } }
    const rules = { policy: fickle(), seed: 1, [cap]: 7 }
    const never = new AbortController().signal
    const end = await crawl(state, rules, ports, { budget: 60, batch: 3 }, never)
    expect({ end, sent: fetcher.sent.length }).toEqual({ end: 'nothing left to fetch', sent: 7 })
  },
)
