import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Frontier } from '#frontier/frontier.ts'
import { apply } from '#learn/apply.ts'
import type { FetchOutcome } from '#learn/entries/outcome.ts'
import { type Knowledge, knowledge } from '#learn/knowledge.ts'
import { planFetches } from '#policy/budget/scheduler.ts'
import { newPagesBy } from '#policy/planning/new-pages.test-kit.ts'
import type { Planner } from '#policy/planning/plan.ts'
import { batchSize, crawl, STOP_SECONDS } from './crawl.ts'
import { LateFetcher } from './late-fetcher.test-kit.ts'
import { listFetcher } from './list-fetcher.test-kit.ts'
import { MemoryStore } from './memory-store.ts'
import { crawlState } from './plan-cycle.ts'
import type { Board, CycleRecord, Fetcher, JournalEntry } from './ports.ts'

/** A small web in memory: page i links to the pages named; negative numbers are failures. */
function webOf(
  pages: readonly (readonly number[])[],
  deliver: (outcomes: FetchOutcome[]) => FetchOutcome[],
): Fetcher {
  const urlOf = (page: number) => `https://h${page % 3}.org/${page}`
  return listFetcher(async function* (requests) {
    const outcomes = requests.map(({ id, url }): FetchOutcome => {
      const attempt = { id, url, at: 1, ms: 1 }
      const links = pages[Number(url.split('/').pop())]
      if (!links) return { kind: 'gone', ...attempt, status: 404, bytes: 0 }
      if (links.length === 0) return { kind: 'disallowed', ...attempt, rule: 'Disallow: /' }
      const page = {
        form: 'page' as const,
        title: '',
        text: '',
        links: links.map((target) => ({ url: urlOf(target), anchor: '', rel: 0 })),
        noindex: false,
        nofollow: false,
      }
      return { kind: 'page', ...attempt, status: 200, bytes: 0, page, contentHash: 'abcdef' }
    })
    yield* deliver(outcomes)
  })
}

class Memory extends MemoryStore {
  readonly journalled: JournalEntry[] = []
  readonly committed: CycleRecord[] = []
  override async journal(entry: JournalEntry) {
    this.journalled.push(entry)
    return super.journal(entry)
  }
  override async commit(record: CycleRecord) {
    this.committed.push(record)
    await super.commit(record)
  }
}

const aWeb = fc.array(fc.array(fc.nat(25), { maxLength: 5 }), { minLength: 1, maxLength: 20 })

async function run(
  web: Fetcher,
  budget: number,
  batch: number,
  signal = new AbortController().signal,
) {
  const frontier = new Frontier()
  frontier.add('https://h0.org/0', 'seed', 0, 0)
  const state = crawlState(frontier)
  const repository = new Memory()
  const rules = { policy: newPagesBy('pagerank', state), seed: 1 }
  const ports = { fetcher: web, repository, clock: { now: () => 1 } }
  const end = await crawl(state, rules, ports, { budget, batch }, signal)
  return { end, state, repository }
}

test('the budget is never exceeded, and nothing is fetched twice', async () => {
  await fc.assert(
    fc.asyncProperty(
      aWeb,
      fc.nat(30),
      fc.integer({ min: 1, max: 7 }),
      async (pages, budget, batch) => {
        const { state, repository } = await run(
          webOf(pages, (o) => o),
          budget,
          batch,
        )
        const urls = repository.journalled.map(({ outcome }) => outcome.url)
        expect(state.spent).toBeLessThanOrEqual(budget)
        expect(new Set(urls).size).toBe(urls.length)
      },
    ),
  )
})

test('whatever the network delivers when, folding the log gives what the crawl knew', async () => {
  await fc.assert(
    fc.asyncProperty(aWeb, fc.integer({ min: 1, max: 20 }), async (pages, budget) => {
      const reversed = webOf(pages, (outcomes) => outcomes.toReversed())
      const { state, repository } = await run(reversed, budget, 4)
      const known = knowledge()
      known.frontier.add('https://h0.org/0', 'seed', 0, 0)
      for await (const entry of repository.entries()) apply(entry, known)
      const seen = ({ frontier }: Knowledge) =>
        Array.from({ length: frontier.size }, (_, url) => [
          frontier.urls.urlOf(url),
          frontier.stateOf(url),
        ])
      expect(seen(known)).toEqual(seen(state))
    }),
  )
})

test('an outcome is journalled before it counts', async () => {
  const { state, repository } = await run(
    webOf([[1], [2], [0]], (o) => o),
    2,
    1,
  )
  expect(repository.journalled.length).toBe(2)
  expect(state.spent).toBe(2)
  expect(repository.journalled[1]).toMatchObject({ cycle: 2, purpose: 'acquire' })
})

test('a run that finds all that it knows under way plans again when that has come', async () => {
  const web = webOf([[1], [2], [0]], (o) => o)
  web.post({ requests: [{ id: 0, url: 'https://h0.org/0', priority: 1 }], sends: 1 })
  const before = [(await web.next())!]
  const { end, repository } = await run(
    {
      ...web,
      inFlight: () => before.map(({ id }) => id),
      next: async () => before.shift() ?? (await web.next()),
    },
    10,
    5,
  )
  expect(end).toBe('nothing left to fetch')
  expect(repository.journalled.map(({ outcome }) => outcome.id)).toEqual([0, 1, 2])
})

test('what robots.txt forbids costs nothing', async () => {
  const { end, state } = await run(
    webOf([[1], []], (o) => o),
    10,
    5,
  )
  expect(end).toBe('nothing left to fetch')
  expect(state.spent).toBe(1)
  expect(state.frontier.stateOf(1)).toBe('disallowed')
})

test('a crawl that is told to stop keeps what it has', async () => {
  const controller = new AbortController()
  const web = webOf([[1, 2, 3], [4], [5], [6]], (o) => {
    if (o.length > 1) controller.abort()
    return o
  })
  const { end, state, repository } = await run(web, 10, 3, controller.signal)
  expect(end).toBe('stopped')
  expect(state.spent).toBe(2)
  expect(repository.committed.length).toBe(2)
})

test('plans come often at first and seldom later', () => {
  expect([0, 100, 5_000, 1_000_000].map(batchSize)).toEqual([50, 50, 500, 2_000])
})

test('while a crawl only waits for its last answers nothing is planned, so no price is read off', async () => {
  const late: FetchOutcome[] = []
  const slow: Fetcher = {
    post({ requests, sends }) {
      for (const { id, url } of requests.slice(0, sends))
        late.push({ kind: 'gone', id, url, at: 1, ms: 1, status: 404, bytes: 0 })
    },
    next: async () => late.shift(),
    inFlight: () => late.map(({ id }) => id),
    async close() {},
  }
  const planned: number[] = []
  const policy: Planner = {
    async renew() {},
    plan: ({ candidates: urls, limits }) => {
      planned.push(limits.budget)
      const gains = new Float64Array(urls.length)
      const bids = { purpose: 'acquire' as const, urls, gains, why: () => '' }
      const all = planFetches([bids], { budget: 9 })
      const reserved = all.slice(limits.budget)
      return { fetches: all.slice(0, limits.budget), reserved, price: 1 }
    },
  }
  const state = crawlState(new Frontier())
  for (let page = 0; page < 3; page++) state.frontier.add(`https://a.org/${page}`, 'seed', 0, 1)
  const repository = new Memory()
  const ports = { fetcher: slow, repository, clock: { now: () => 1 } }
  const rules = { policy, seed: 1 }
  await crawl(state, rules, ports, { budget: 2, batch: 1 }, new AbortController().signal)
  expect(state.spent).toBe(2)
  // Once for seeds, once for what others are kept busy with.
  expect(planned).toEqual([1, 0])
  expect(repository.committed.map(({ price }) => price)).toEqual([1, undefined])
})

test('what is under way when a crawl is told to stop is taken in and paid for, within a moment', async () => {
  const late: FetchOutcome[] = []
  const given: number[] = []
  const slow: Fetcher = {
    post({ requests, sends }) {
      for (const { id, url } of requests.slice(0, sends))
        late.push({ kind: 'gone', id, url, at: 1, ms: 1, status: 404, bytes: 0 })
    },
    next: async () => late.shift(),
    inFlight: () => late.map(({ id }) => id),
    endWithin: (seconds) => given.push(seconds),
    async close() {},
  }
  const state = crawlState(new Frontier())
  for (let page = 0; page < 3; page++) state.frontier.add(`https://a.org/${page}`, 'seed', 0, 1)
  const ports = { fetcher: slow, repository: new Memory(), clock: { now: () => 1 } }
  const rules = { policy: newPagesBy('bfs', state), seed: 1 }
  const stop = new AbortController()
  const on = { cycle: () => stop.abort() }
  const end = await crawl(state, rules, ports, { budget: 9, batch: 2 }, stop.signal, on)
  expect({ end, spent: state.spent, given }).toEqual({
    end: 'stopped',
    spent: 3,
    given: [STOP_SECONDS],
  })
})

test('what is sent while a crawl plans, or before the fetcher hears that it ends, is paid for and within the budget', async () => {
  const fetcher = new LateFetcher()
  const state = crawlState(new Frontier())
  for (let page = 0; page < 90; page++) state.frontier.add(`https://a.org/${page}`, 'seed', 0, 1)
  const repository = new Memory()
  repository.beginCycle = async () => {
    fetcher.send(3)
    fetcher.hear()
  }
  const ports = { fetcher, repository, clock: { now: () => 1 } }
  const rules = { policy: newPagesBy('bfs', state), seed: 1 }
  const never = new AbortController().signal
  const end = await crawl(state, rules, ports, { budget: 20, batch: 4 }, never)
  expect({ end, spent: state.spent, sent: fetcher.sent.length }).toEqual({
    ...{ end: 'budget spent', spent: 20, sent: 20 },
  })
})

test.each([
  [1, 8, 90],
  [0.2, 8, 90],
  [0.01, 5, 5],
  [0, 5, 5],
  [1, 20, 90, 5],
])(
  'at a pace of %d s a host, a plan that is followed after 4 answers allows %i sends of %i bids',
  async (pace, most, bids, sendsAhead?: number) => {
    const boards: Board[] = []
    const fetcher: Fetcher = {
      post: (board) => void boards.push(board),
      next: async () => undefined,
      inFlight: () => [],
      paceOf: () => pace,
      close: async () => {},
    }
    const state = crawlState(new Frontier())
    for (let page = 0; page < 90; page++) state.frontier.add(`https://h${page}.org/`, 'link', 1, 1)
    const ports = { fetcher, repository: new Memory(), clock: { now: () => 1 } }
    const rules = { policy: newPagesBy('bfs', state), seed: 1 }
    const limits = { budget: 50, batch: 4, sendsAhead }
    await crawl(state, rules, ports, limits, new AbortController().signal)
    expect(boards[0].sends).toBe(most)
    expect(boards[0].requests.length).toBe(bids)
  },
)

test('of an origin that is left alone, one URL is asked about and not all in turn', async () => {
  const asked: string[] = []
  let now = 1
  const web = listFetcher(async function* (requests) {
    for (const { id, url } of requests) {
      asked.push(url)
      const attempt = { id, url, at: now, ms: 1 }
      const putOff = {
        kind: 'failed',
        reason: 'busy',
        sent: false,
        retryAfterSeconds: 90,
      } as const
      yield url.startsWith('https://dead.org/')
        ? { ...attempt, ...putOff }
        : { ...attempt, kind: 'gone', status: 404, bytes: 0 }
    }
  })
  const state = crawlState(new Frontier())
  for (let page = 0; page < 9; page++) state.frontier.add(`https://dead.org/${page}`, 'seed', 0, 1)
  state.frontier.add('http://dead.org/', 'seed', 0, 1) // without TLS it may be another server
  state.frontier.add('https://alive.org/', 'seed', 0, 1)
  const ports = { fetcher: web, repository: new Memory(), clock: { now: () => now } }
  const rules = { policy: newPagesBy('bfs', state), seed: 1 }
  const limits = { budget: 3, batch: 1 }
  const crawlOn = () => crawl(state, rules, ports, limits, new AbortController().signal)
  expect(await crawlOn()).toBe('nothing left to fetch')
  const dead = asked.filter((url) => url.startsWith('https://dead.org/'))
  expect(dead).toHaveLength(1)
  const others = ['http://dead.org/', 'https://alive.org/']
  expect(asked.toSorted()).toEqual([...others, ...dead].toSorted())
  now += 90
  await crawlOn()
  expect(asked.slice(3)).toEqual(dead)
})

test('hosts that never answer use up the sends of a plan, and the next one is made for the others', async () => {
  const state = crawlState(new Frontier())
  const hostOf = (page: number) => (page % 3 === 0 ? 'quick' : `mute${page}`)
  for (let page = 0; page < 60; page++)
    state.frontier.add(`https://${hostOf(page)}.org/${page}`, 'seed', 0, 1)
  const inFlight = new Set<number>()
  const ready: FetchOutcome[] = []
  let sendsLeft = 0
  const fetcher: Fetcher = {
    post({ requests, sends }) {
      sendsLeft = sends
      for (const { id, url } of requests.filter(({ id }) => !inFlight.has(id)).slice(0, sends)) {
        inFlight.add(id)
        sendsLeft--
        if (url.includes('quick'))
          ready.push({ kind: 'gone', id, url, at: 1, ms: 1, status: 404, bytes: 0 })
      }
    },
    async next(_until, untilSent) {
      const outcome = ready.shift()
      if (outcome) inFlight.delete(outcome.id)
      else if (sendsLeft > 0 || untilSent === undefined) throw new Error('waits for mute hosts')
      return outcome
    },
    inFlight: () => [...inFlight],
    async close() {},
  }
  const ports = { fetcher, repository: new Memory(), clock: { now: () => 1 } }
  const rules = { policy: newPagesBy('bfs', state), seed: 1 }
  const run = crawl(state, rules, ports, { budget: 1_000, batch: 8 }, new AbortController().signal)
  await expect(run).rejects.toThrow('waits for mute hosts') // when nothing else is left
  expect(state.spent).toBe(20)
})
