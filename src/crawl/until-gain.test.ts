import { expect, test } from 'vitest'
import { Frontier } from '#frontier/frontier.ts'
import { planFetches } from '#policy/scheduler.ts'
import { crawl } from './crawl.ts'
import { type CrawlState, crawlState } from './cycle.ts'
import type { Planner } from './planner.ts'
import type { CycleRecord, Fetcher, Repository } from './ports.ts'

/** Ten pages that are all gone. */
const nothing: Fetcher = {
  async *fetchAll(requests) {
    for (const { id, url } of requests)
      yield { kind: 'gone', id, url, at: 1, ms: 1, status: 404, bytes: 0 }
  },
  inFlight: () => [],
  async close() {},
}
const nowhere: Repository = { journal: async () => undefined, commit: async () => {} }

/** Expects as much of every fetch, and has an outlook of its own. */
function expecting(quality: number): Planner {
  return {
    async renew() {},
    learn() {},
    plan: ({ candidates, limits, affords }) => {
      const gains = new Float64Array(candidates.length).fill(quality)
      const bids = { purpose: 'acquire' as const, urls: candidates, gains, why: () => '' }
      const outlook = () => ({ fetches: affords, gain: quality * affords })
      return { fetches: planFetches([bids], limits), outlook }
    },
  }
}

async function crawlUntil(untilGain: number, state: CrawlState, quality: number) {
  for (let page = 0; page < 10; page++) state.frontier.add(`https://a.org/${page}`, 'seed', 0, 1)
  const rules = { policy: expecting(quality), scope: () => undefined, seed: 1, untilGain }
  const ports = { fetcher: nothing, repository: nowhere, clock: { now: () => 1 } }
  const records: CycleRecord[] = []
  const limits = { budget: 8, batch: 2 }
  const end = await crawl(state, rules, ports, limits, new AbortController().signal, {
    cycle: (record) => records.push(record),
  })
  return { end, last: records.at(-1)!, spent: state.spent }
}

test('a crawl that gained much stops at a plan that would gain little, and says what is left', async () => {
  const state = crawlState(new Frontier(), { gained: 10 })
  const { end, last, spent } = await crawlUntil(0.05, state, 0.2)
  expect({ end, spent }).toEqual({ end: 'little left to gain', spent: 0 })
  expect(last).toMatchObject({ planned: 0, left: { fetches: 8, gain: 8 * 0.2 } })
})

test('it goes on while a plan is worth its share, or while nothing was gained yet', async () => {
  for (const [gained, quality] of [
    [10, 0.3],
    [0, 0.2],
  ]) {
    const { end, spent } = await crawlUntil(0.05, crawlState(new Frontier(), { gained }), quality)
    expect({ end, spent }).toEqual({ end: 'budget spent', spent: 8 })
  }
})

test('what the latest fetches gained counts more than low expectations', async () => {
  const state = crawlState(new Frontier(), { gained: 10 })
  state.gainedLately = 0.5
  expect((await crawlUntil(0.05, state, 0.01)).end).toBe('budget spent')
})
