import { beforeEach, expect, test } from 'vitest'
import { budgetLines } from '#app/cli/status/status-command.ts'
import { runCycle } from '#crawl/cycle.ts'
import { listFetcher } from '#crawl/list-fetcher.test-kit.ts'
import { type CrawlState, crawlState } from '#crawl/plan-cycle.ts'
import type { Fetcher } from '#crawl/ports.ts'
import type { FetchOutcome } from '#learn/entries/outcome.ts'
import { planFetches } from '#policy/budget/scheduler.ts'
import { someFacts } from '#policy/facts/facts.ts'
import { breadthFirst } from '#policy/orders/link-orders.ts'
import type { Planner } from '#policy/planning/plan.ts'
import { CrawlStore } from '#repository/state/crawl-store.ts'
import { temporaryFolder } from '#repository/temporary-folder.test-kit.ts'
import { alarmsNow, budgetStatus } from './status-budget.ts'

let dir: string
beforeEach(() => {
  dir = temporaryFolder()
})

const PAGES = 12
const DAY = 86_400

/** A home page that links to products; after a day all products are gone. */
const shop: Fetcher = listFetcher(async function* (requests) {
  for (const { id, url } of requests) yield outcomeOf(id, url)
})
let now = 0

function outcomeOf(id: number, url: string): FetchOutcome {
  const attempt = { id, url, at: now, ms: 1 }
  if (now > DAY && url.includes('/p/')) return { kind: 'gone', ...attempt, status: 404, bytes: 0 }
  const links = Array.from({ length: PAGES }, (_, n) => ({
    ...{ url: `https://shop.example/p/${n}`, anchor: `product ${n}`, rel: 0 },
  }))
  const page = {
    ...{ form: 'page' as const, title: '', text: url, noindex: false, nofollow: false },
    links: url.includes('/p/') ? [] : links,
  }
  return { kind: 'page', ...attempt, status: 200, bytes: 9, page, contentHash: url }
}

/** Fetches as it comes, and says what it thinks of it. */
function planner(state: CrawlState, price: number): Planner {
  return {
    async renew() {},
    plan: ({ now: at, seed, candidates, limits, otherBids }) => {
      const facts = someFacts({ ...state.frontier.graphFacts(at, seed), candidates })
      const bids = breadthFirst.bids(facts)
      const fetches = planFetches([...otherBids, bids], limits).map((fetch, i) =>
        i === 0 ? { ...fetch, probability: 0.1 } : fetch,
      )
      return { fetches, price, notes: fetches.map(() => ({ prediction: { links: 2 }, views: 0 })) }
    },
  }
}

test('tasks, prices, forecasts and alarms are told from the tables of any crawl', async () => {
  const store = await CrawlStore.open(dir)
  const { frontier } = await store.load()
  const state = crawlState(frontier)
  frontier.add('https://shop.example/', 'seed', 0, 0)
  const ports = { fetcher: shop, repository: store, clock: { now: () => now } }
  for (const [cycle, time] of [1, 2, 3 * DAY].entries()) {
    now = time
    const rules = {
      ...{ policy: planner(state, 1 / (cycle + 1)), seed: 1 },
      refreshAfter: DAY,
    }
    await runCycle(state, rules, ports, { budget: 100 })
  }
  const status = { ...(await budgetStatus(store)), alarms: alarmsNow(state.lessons) }
  store.close()

  expect(status.tasks.inAll).toEqual({ acquire: 1 + PAGES, refresh: 1 + PAGES, discover: 0 })
  expect(status.tasks.lately).toEqual(status.tasks.inAll)
  expect(status.prices.map(({ cycle, price }) => [cycle, price])).toEqual([
    [1, 1],
    [2, 1 / 2],
    [3, 1 / 3],
  ])
  expect(status.random).toEqual({ fetches: 3 })
  expect({ gains: status.gains, forecasts: status.forecasts }).toEqual({ gains: [], forecasts: [] })
  expect(status.alarms).toMatchObject([{ kind: 'vanishing', since: 3 * DAY }])
  expect(status.alarms[0].className).toBe('https://shop.example/p/*')
  expect(budgetLines(status)).toEqual([
    'spent on 50 % new pages, 50 % copies, 0 % links',
    'price █▅▃ now 0.333',
    'sampled at random: 3 fetches',
    expect.stringMatching(
      /^alarm since .*: addresses like https:\/\/shop\.example\/p\/\* vanish \S+ times/,
    ),
  ])
})
