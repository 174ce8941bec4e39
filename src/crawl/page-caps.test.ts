import { expect, test } from 'vitest'
import { Frontier } from '#frontier/frontier.ts'
import type { Instruction } from '#frontier/instructions.ts'
import { planFetches } from '#policy/budget/scheduler.ts'
import type { Planner } from '#policy/planning/plan.ts'
import { crawl } from './crawl.ts'
import { LateFetcher } from './late-fetcher.test-kit.ts'
import { MemoryStore } from './memory-store.ts'
import type { PageCaps } from './page-caps.ts'
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
    const { end, sent } = await crawled({ [cap]: 7 }, ['a.org'])
    expect({ end, sent: sent.length }).toEqual({ end: 'nothing left to fetch', sent: 7 })
  },
)

test('a host with a limit of its own has that in place of the one for all, and an operator’s word in place of both', async () => {
  const limits: Record<string, number> = { 'a.org': 3, 'b.org': 5 }
  const { sent } = await crawled(
    { maxPagesPerHost: 7, hostLimitsOf: (host) => ({ maxPages: limits[host] }) },
    ['a.org', 'b.org', 'c.org'],
    [{ kind: 'site', at: 1, host: 'b.org', maxPages: 2 }],
  )
  const on = (host: string) => sent.filter((url) => new URL(url).host === host).length
  expect([on('a.org'), on('b.org'), on('c.org')]).toEqual([3, 2, 7])
})

test('where single hosts alone have a limit, others have none', async () => {
  const { sent } = await crawled(
    {},
    ['a.org', 'b.org'],
    [{ kind: 'site', at: 1, host: 'a.org', maxPages: 4 }],
  )
  expect(sent.filter((url) => url.startsWith('https://a.org')).length).toBe(4)
  expect(sent.length).toBe(44)
})

/** Crawls forty pages of each host; gives what was sent. */
async function crawled(
  caps: PageCaps,
  hosts: readonly string[],
  told: readonly Instruction[] = [],
) {
  const fetcher = new LateFetcher()
  const state = crawlState(new Frontier())
  const { urls, instructed } = state.frontier
  for (let page = 0; page < 40; page++)
    for (const host of hosts) state.frontier.add(`https://${host}/${page}`, 'link', 1, 1)
  instructed.take(told, urls)
  const repository = new MemoryStore()
  repository.beginCycle = async () => fetcher.send(2) // nobody hears of it until the fetcher is asked
  const ports = { fetcher, repository, clock: { now: () => 1 } }
  const never = new AbortController().signal
  const rules = { policy: fickle(), seed: 1, ...caps }
  const end = await crawl(state, rules, ports, { budget: 60, batch: 3 }, never)
  return { end, sent: fetcher.sent.map((url) => urls.urlOf(url)) }
}
