import { describe, expect, test } from 'vitest'
import { Frontier } from '#frontier/frontier.ts'
import type { FailedOutcome, FetchOutcome } from '#learn/entries/outcome.ts'
import type { Rest } from '#learn/resting-origins.ts'
import { newPagesBy } from '#policy/planning/new-pages.test-kit.ts'
import { type CrawlLimits, crawl } from './crawl.ts'
import { UnsentPlans } from './host-waits.ts'
import { MemoryStore } from './memory-store.ts'
import { crawlState } from './plan-cycle.ts'
import type { Clock, Fetcher } from './ports.ts'
import { promptFetcher } from './prompt-fetcher.ts'

const BUSY = { kind: 'failed', reason: 'status 429', status: 429, sent: true } as const

/** What a server says to its n-th request, at a time: a page, or how long to leave it alone. */
type Server = (request: number, now: number) => 'page' | number

/** Hosts as the live fetcher treats them: who asks for rest is asked nothing more until that is over. */
class BusyWeb {
  now = 1_000
  readonly asked: string[] = []
  readonly #servers: Readonly<Record<string, Server>>
  readonly #until = new Map<string, number>()

  constructor(servers: Readonly<Record<string, Server>>) {
    this.#servers = servers
  }

  get fetcher(): Fetcher {
    return promptFetcher((request) => this.answer(request))
  }

  answer({ id, url }: { id: number; url: string }): FetchOutcome {
    const attempt = { id, url, at: this.now, ms: 1 }
    const { host } = new URL(url)
    const rest = (this.#until.get(host) ?? 0) - this.now
    if (rest > 0) return { ...attempt, ...BUSY, sent: false, retryAfterSeconds: rest }
    this.asked.push(url)
    const said = this.#servers[host](
      this.asked.filter((one) => one.includes(host)).length,
      this.now,
    )
    if (said === 'page') return { ...attempt, kind: 'gone', status: 404, bytes: 0 }
    this.#until.set(host, this.now + said)
    return { ...attempt, ...BUSY, retryAfterSeconds: said }
  }
}

const seeds = (host: string, count = 4) =>
  Array.from({ length: count }, (_, page) => `https://${host}/${page}`)

/** A crawl of these URLs under a clock that is moved on by whoever waits. */
function started(web: BusyWeb, urls: readonly string[]) {
  const state = crawlState(new Frontier())
  for (const url of urls) state.frontier.add(url, 'seed', 0, 1)
  const waits: (Rest & { seconds: number })[] = []
  const clock: Clock = {
    now: () => web.now,
    async waitUntil(at) {
      web.now = at
    },
  }
  const repository = new MemoryStore()
  const rules = { policy: newPagesBy('bfs', state), seed: 1 }
  const run = (
    limits: Partial<CrawlLimits> = {},
    {
      signal = new AbortController().signal,
      ...clocks
    }: Partial<Clock> & { signal?: AbortSignal } = {},
  ) => {
    const ports = { fetcher: web.fetcher, repository, clock: { ...clock, ...clocks } }
    return crawl(state, rules, ports, { budget: 100, ...limits }, signal, {
      wait: (rest) => waits.push({ ...rest, seconds: rest.until - web.now }),
    })
  }
  return { state, waits, run }
}

const busyOnce =
  (seconds: number): Server =>
  (request) =>
    request === 2 ? seconds : 'page'

describe('a host that asks us to come back', () => {
  test('is waited for when nothing else is left, and then all of it is fetched', async () => {
    const web = new BusyWeb({ 'a.org': busyOnce(300) })
    const { state, waits, run } = started(web, seeds('a.org'))
    expect(await run()).toBe('nothing left to fetch')
    expect(waits).toEqual([
      {
        host: 'a.org',
        until: 1_300,
        seconds: 300,
        urls: 3,
        copies: 0,
        reason: 'status 429',
        hasAnswered: true,
      },
    ])
    expect(state.frontier.countByState()).toMatchObject({ gone: 4 })
  })

  test('is not waited for while others can be asked', async () => {
    const web = new BusyWeb({ 'a.org': busyOnce(300), 'b.org': () => 'page' })
    const { waits, run } = started(web, [...seeds('a.org'), ...seeds('b.org', 9)])
    await run({ batch: 3 })
    expect(waits.map(({ seconds }) => seconds)).toEqual([300])
    expect(web.asked.slice(2, 11).toSorted()).toEqual(seeds('b.org', 9))
  })

  test('is waited for though all we asked was one URL, and it was turned away', async () => {
    const web = new BusyWeb({ 'a.org': (request) => (request === 1 ? 2 : 'page') })
    const { waits, run } = started(web, seeds('a.org', 1))
    await run()
    expect(waits.map(({ seconds }) => seconds)).toEqual([2])
    expect(web.asked.length).toBe(2)
  })

  test('is not waited for longer than the limit, nor beyond the end of the crawl', async () => {
    const waitsOf = async (seconds: number, limits: Partial<CrawlLimits>) => {
      const { waits, run } = started(new BusyWeb({ 'a.org': busyOnce(seconds) }), seeds('a.org'))
      expect(await run(limits)).toBe('nothing left to fetch')
      return waits.length
    }
    expect(await waitsOf(600, {})).toBe(1)
    expect(await waitsOf(601, {})).toBe(0)
    expect(await waitsOf(601, { waitSeconds: 700 })).toBe(1)
    expect(await waitsOf(300, { until: 1_301 })).toBe(1)
    expect(await waitsOf(300, { until: 1_300 })).toBe(0)
  })

  test('again and again, with nothing between, is given up', async () => {
    const { waits, run } = started(
      new BusyWeb({ 'a.org': (request) => (request === 1 ? 'page' : 250) }),
      seeds('a.org'),
    )
    expect(await run()).toBe('nothing left to fetch')
    expect(waits.map(({ seconds }) => seconds)).toEqual([250, 250])
  })

  test('now and then, with answers between, is waited for each time', async () => {
    const web = new BusyWeb({ 'a.org': (request) => (request % 2 === 0 ? 500 : 'page') })
    const { state, waits, run } = started(web, seeds('a.org', 6))
    await run()
    expect(waits.length).toBeGreaterThan(3)
    expect(state.frontier.countByState()).toMatchObject({ gone: 6 })
  })

  test('makes no difference where time is recorded, and waits for nobody', async () => {
    const { waits, run } = started(new BusyWeb({ 'a.org': busyOnce(300) }), seeds('a.org'))
    expect(await run({}, { waitUntil: undefined })).toBe('nothing left to fetch')
    expect(waits).toEqual([])
  })

  test('is still waited for by the next run', async () => {
    const web = new BusyWeb({ 'a.org': busyOnce(900) })
    const { state, run } = started(web, seeds('a.org'))
    await run()
    web.now += 400
    const { frontier } = state
    const again = crawlState(frontier)
    const told: Rest[] = again.resting.at(web.now)
    expect(told).toMatchObject([{ host: 'a.org', until: 1_900, urls: 2, hasAnswered: true }])
    expect(told[0].reason).toBeUndefined()
  })
})

test('whoever says stop while a crawl waits is obeyed at once', async () => {
  const web = new BusyWeb({ 'a.org': busyOnce(300) })
  const { waits, run } = started(web, seeds('a.org'))
  const controller = new AbortController()
  const waitUntil: Clock['waitUntil'] = (_, signal) =>
    new Promise((resolve) => {
      signal.addEventListener('abort', () => resolve())
      controller.abort()
    })
  expect(await run({}, { waitUntil, signal: controller.signal })).toBe('stopped')
  expect(waits.length).toBe(1)
  expect(web.asked.length).toBe(2)
})

test('a host that never answered is not waited for: it may not exist', async () => {
  const dead = new BusyWeb({})
  const { state, waits, run } = started(dead, seeds('a.org'))
  // That our own rules kept us from it before is no answer.
  state.frontier.visit(state.frontier.add('https://a.org/port', 'link', 1, 1), {
    state: 'forbidden',
    at: 900,
    retryAt: 9_000,
  })
  dead.answer = ({ id, url }) => {
    const putOff = { kind: 'failed', reason: 'ECONNREFUSED', sent: false } as const
    return { id, url, at: dead.now, ms: 1, ...putOff, retryAfterSeconds: 60 } as FailedOutcome
  }
  expect(await run()).toBe('nothing left to fetch')
  expect(waits).toEqual([])
  expect(state.resting.at(dead.now)).toMatchObject([{ host: 'a.org', urls: 4, hasAnswered: false }])
})

test('a URL that failed by itself has its own time, for which nobody waits', async () => {
  const web = new BusyWeb({ 'a.org': () => 'page' })
  const { state, waits, run } = started(web, seeds('a.org', 1))
  state.frontier.visit(0, { state: 'failed', at: web.now, retryAt: web.now + 300 })
  state.frontier.add('https://a.org/other', 'seed', 0, 1)
  expect(await run()).toBe('nothing left to fetch')
  expect(web.asked).toEqual(['https://a.org/other'])
  expect(waits).toEqual([])
})

test('a copy that was to be fetched again waits for its host too', () => {
  const { state } = started(new BusyWeb({}), seeds('a.org', 3))
  const { frontier, resting } = state
  for (const page of [0, 1]) frontier.visit(page, { state: 'page', at: 900, contentKey: 0xabcdef })
  const attempt = { id: 0, url: 'https://a.org/0', at: 1_000, ms: 1 }
  resting.learn({ ...attempt, ...BUSY, sent: false, retryAfterSeconds: 300 })
  frontier.postpone(0, 1_300)
  expect(resting.at(1_000)).toMatchObject([{ urls: 2, copies: 1, until: 1_300 }])
  expect(resting.at(1_300)).toEqual([])
})

/** A clock that jumps to what is waited for, and tells when it was. */
function patientClock() {
  const waits: number[] = []
  let seconds = 0
  const now = () => seconds
  const waitUntil = async (at: number) => {
    waits.push(at - seconds)
    seconds = Math.max(at, seconds)
  }
  return { now, waitUntil, waits }
}

const { signal } = new AbortController()
const unsent = (startedAt: number) => ({ planned: 9, answers: 0, startedAt })

test('plans that nobody sends are ever further apart, until patience is over', async () => {
  const clock = patientClock()
  const plans = new UnsentPlans(clock, { waitSeconds: 20 })
  let tries = 0
  while (await plans.pause(unsent(clock.now()), 0, signal)) tries++
  expect(clock.waits).toEqual([1, 2, 4, 5, 5, 5])
  expect(tries).toBe(6)
})

test('a fetcher that took its time over a plan is not made to wait as well', async () => {
  const clock = patientClock()
  const plans = new UnsentPlans(clock, {})
  for (let n = 0; n < 1_000; n++) {
    const startedAt = clock.now()
    await clock.waitUntil(startedAt + 5)
    expect(await plans.pause(unsent(startedAt), 0, signal)).toBe(true)
  }
  expect(clock.now()).toBe(5_000)
})

test('whatever was sent, is under way or was not planned starts the count anew', async () => {
  const clock = patientClock()
  const plans = new UnsentPlans(clock, {})
  await plans.pause(unsent(clock.now()), 0, signal)
  await plans.pause(unsent(clock.now()), 1, signal)
  await plans.pause({ ...unsent(clock.now()), planned: 0 }, 0, signal)
  await plans.pause(unsent(clock.now()), 0, signal)
  expect(clock.waits).toEqual([1, 1])
})

test('no pause goes beyond the end of the crawl, and a clock that cannot wait ends it', async () => {
  const clock = patientClock()
  await new UnsentPlans(clock, { until: 0.5 }).pause(unsent(0), 0, signal)
  expect(clock.now()).toBe(0.5)
  expect(await new UnsentPlans({ now: () => 0 }, {}).pause(unsent(0), 0, signal)).toBe(false)
})
