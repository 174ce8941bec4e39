import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Fetcher, FetchRequest } from '#crawl/ports.ts'
import { costOf } from '#learn/entries/outcome.ts'
import { cases } from '#numeric/cases.test-kit.ts'
import {
  answersTo,
  fetcherTo,
  outcomesOf,
  type Respond,
  requestsFor,
  scriptedServer,
  smallSite,
  threadTo,
} from './scripted-server.test-kit.ts'
import { parseResolveRule } from './wire/resolve-rules.ts'

/** Answers a path only once `release` is called for it. */
function holding(...paths: string[]) {
  const held = new Map<string, () => void>()
  const respond: Respond = (request, response) => {
    const { url = '' } = request
    if (paths.includes(url)) held.set(url, () => smallSite()(request, response))
    else smallSite()(request, response)
  }
  return { respond, release: (path: string) => held.get(path)!() }
}

const NOTHING = { requests: [], sends: 0 }
const post = (fetcher: Fetcher, ...urls: string[]) =>
  fetcher.post({ requests: requestsFor(...urls), sends: urls.length })
/** Reads what comes without another board. */
const rest = async (fetcher: Fetcher) => {
  const ids: number[] = []
  for (let outcome = await fetcher.next(); outcome; outcome = await fetcher.next())
    ids.push(outcome.id)
  return ids.sort((a, b) => a - b)
}

describe('a board', () => {
  test('before the first one nothing is sent, and nothing comes', async () => {
    await using server = await scriptedServer(smallSite())
    await using fetcher = fetcherTo(server.port)
    expect(await fetcher.next()).toBeUndefined()
    expect(server.arrivals).toEqual([])
  })

  test('does away with what waited, not with what is under way', async () => {
    const { respond, release } = holding('/slow')
    await using server = await scriptedServer(respond)
    await using fetcher = fetcherTo(server.port)
    post(fetcher, 'http://a.example/slow', 'http://a.example/forgotten', 'http://b.example/')
    expect((await fetcher.next())?.id).toBe(2)
    expect(fetcher.inFlight()).toEqual([0])
    fetcher.post({ requests: [{ id: 7, url: 'http://a.example/7', priority: 0 }], sends: 1 })
    release('/slow')
    expect(await rest(fetcher)).toEqual([0, 7])
    expect(server.pages().map(({ path }) => path)).toEqual(['/slow', '/', '/7'])
  })

  test('with nothing on it ends the sending; what is under way still comes', async () => {
    const { respond, release } = holding('/slow')
    await using server = await scriptedServer(respond)
    await using fetcher = fetcherTo(server.port)
    post(fetcher, 'http://a.example/slow', 'http://a.example/1', 'http://b.example/')
    await fetcher.next()
    fetcher.post(NOTHING)
    const waiting = rest(fetcher)
    release('/slow')
    expect(await waiting).toEqual([0])
    expect(fetcher.inFlight()).toEqual([])
  })

  test('does not send again what is under way, or answered and unread', async () => {
    const { respond, release } = holding('/slow')
    await using server = await scriptedServer(respond)
    await using fetcher = fetcherTo(server.port)
    const urls = ['http://a.example/slow', 'http://b.example/', 'http://c.example/']
    post(fetcher, ...urls)
    await fetcher.next()
    post(fetcher, ...urls.slice(0, 1))
    while (server.pages().length < 3 || server.pages()[2].endedAt === 0)
      await new Promise(setImmediate)
    post(fetcher, ...urls.slice(0, 1))
    release('/slow')
    expect(await rest(fetcher)).toHaveLength(2)
    expect(server.pages()).toHaveLength(3)
  })

  test('wakes who waits for the next outcome', async () => {
    const { respond, release } = holding('/slow')
    await using server = await scriptedServer(respond)
    await using fetcher = fetcherTo(server.port)
    post(fetcher, 'http://a.example/slow')
    const next = fetcher.next()
    while (server.pages().length === 0) await new Promise(setImmediate)
    fetcher.post({ requests: [{ id: 1, url: 'http://b.example/', priority: 0 }], sends: 1 })
    expect((await next)?.id).toBe(1)
    release('/slow')
    expect(await rest(fetcher)).toEqual([0])
  })

  test('is waited for to its end, though its hosts rest and one is slow to answer', async () => {
    await using server = await scriptedServer((request, response) => {
      setTimeout(() => smallSite()(request, response), request.url === '/slow' ? 600 : 0)
    })
    await using fetcher = fetcherTo(server.port, { delayMs: 20 })
    const urls = Array.from({ length: 10 }, (_, n) => `http://a.example/${n}`)
    const outcomes = await outcomesOf(fetcher, requestsFor(...urls, 'http://b.example/slow'))
    expect(outcomes).toHaveLength(11)
  })
})

describe('sends', () => {
  test('are as many as the board allows, the best of a host first', async () => {
    await using server = await scriptedServer(smallSite())
    await using fetcher = fetcherTo(server.port)
    const urls = Array.from({ length: 30 }, (_, n) => `http://a.example/${n}`)
    fetcher.post({ requests: requestsFor(...urls), sends: 5 })
    expect(await rest(fetcher)).toEqual([0, 1, 2, 3, 4])
    fetcher.post({ requests: requestsFor(...urls).slice(10), sends: 3 })
    expect(await rest(fetcher)).toEqual([10, 11, 12])
    expect(server.pages()).toHaveLength(8)
  })

  test('are kept for hosts that begin: no more are asked for robots.txt than may send', async () => {
    await using server = await scriptedServer(smallSite())
    await using fetcher = fetcherTo(server.port, { delayMs: 30 })
    const robots = () => server.arrivals.filter(({ path }) => path === '/robots.txt')
    const urls = Array.from({ length: 40 }, (_, n) => `http://h${n}.example/`)
    fetcher.post({ requests: requestsFor(...urls), sends: 4 })
    expect(await rest(fetcher)).toEqual([0, 1, 2, 3])
    expect(robots()).toHaveLength(4)
    fetcher.post({ requests: requestsFor(...urls).slice(20), sends: 3 })
    expect(await rest(fetcher)).toEqual([20, 21, 22])
    expect(robots()).toHaveLength(7)
  })

  test('are not used by what robots.txt forbids', async () => {
    await using server = await scriptedServer(smallSite('User-agent: *\nDisallow: /no'))
    await using fetcher = fetcherTo(server.port)
    const forbidden = [1, 2, 3].map((n) => `http://a.example/no/${n}`)
    const open = [4, 5, 6].map((n) => `http://a.example/${n}`)
    fetcher.post({ requests: requestsFor(...forbidden, ...open), sends: 2 })
    expect(await rest(fetcher)).toEqual([0, 1, 2, 3, 4])
  })

  test('are given back when nobody could be reached', async () => {
    await using server = await scriptedServer(smallSite())
    const record = { kind: 'none', failures: 0, fetchedAt: 1_000, validUntil: 2_000 } as const
    await using fetcher = fetcherTo(server.port, {
      resolve: [
        parseResolveRule('dead.example=127.0.0.1:1'),
        parseResolveRule(`*=127.0.0.1:${server.port}`),
      ],
      robotsRecords: [{ origin: 'http://dead.example', ...record }],
    })
    const requests = requestsFor(
      'http://dead.example/1',
      'http://a.example/1',
      'http://a.example/2',
    )
    fetcher.post({ requests, sends: 1 })
    expect(await fetcher.next()).toMatchObject({ kind: 'failed', sent: false })
    expect(await rest(fetcher)).toEqual([1])
  })
})

test('the pace of a host is its rest and how long its answers take', async () => {
  await using server = await scriptedServer(smallSite('User-agent: *\nCrawl-delay: 0.2'))
  await using fetcher = fetcherTo(server.port, { delayMs: 100, connectionsPerHost: 2 })
  expect(fetcher.paceOf!('a.example')).toBe(0.05)
  await outcomesOf(fetcher, requestsFor('http://a.example/'))
  expect(fetcher.paceOf!('a.example')).toBeGreaterThanOrEqual(0.2)
})

describe.each([
  { place: 'in process', fetcherOn: fetcherTo, numRuns: cases(6, 12) },
  { place: 'on a thread', fetcherOn: threadTo, numRuns: cases(2) },
])('whatever the servers and the consumer do, $place', ({ place, fetcherOn, numRuns }) => {
  const host = fc.record({
    pages: fc.integer({ min: 1, max: 6 }),
    answerMs: fc.constantFrom(0, 0, 3, 30),
    crawlDelayMs: fc.constantFrom(0, 0, 5, 40),
    fault: fc.constantFrom('none', 'none', 'none', 'hangs up', 'status 500', 'status 503'),
  })
  const plan = fc.record({
    hosts: fc.array(host, { minLength: 1, maxLength: 6 }),
    delayMs: fc.constantFrom(0, 5),
    /** A new board after so many outcomes, and the sends that each allows. */
    boards: fc.array(
      fc.record({ reads: fc.constantFrom(0, 1, 3, 1000), sends: fc.constantFrom(0, 1, 4, 1000) }),
      { minLength: 1, maxLength: 4 },
    ),
  })

  test(
    'every request that is sent gets one outcome, and no board is overrun',
    async () => {
      await fc.assert(
        fc.asyncProperty(plan, async ({ hosts, delayMs, boards }) => {
          await using server = await scriptedServer((request, response) => {
            const { answerMs, crawlDelayMs, fault } =
              hosts[Number(/\d+/.exec(request.headers.host!))]
            if (request.url === '/robots.txt')
              response.end(`User-agent: *\nCrawl-delay: ${crawlDelayMs / 1000}`)
            else if (fault === 'hangs up') request.socket.destroy()
            else if (fault !== 'none') response.writeHead(Number(fault.slice(7))).end()
            else setTimeout(() => smallSite()(request, response), answerMs)
          })
          await using fetcher = fetcherOn(server.port, {
            delayMs,
            busySeconds: 0.02,
            failingSeconds: 0.02,
            patienceSeconds: 0.03,
          })
          const requests: FetchRequest[] = hosts
            .flatMap(({ pages }, h) =>
              Array.from({ length: pages }, (_, n) => `http://h${h}.test/${n}`),
            )
            .map((url, id) => ({ id, url, priority: id % 5 }))
          const answered = new Set<number>()
          let spent = 0
          let allowed = 0
          for (let board = 0; answered.size < requests.length && board < 200; board++) {
            // The last of them in turn allows all, lest nothing be sent for ever.
            const { reads, sends } = boards[board] ?? { reads: 1000, sends: 1000 }
            // Until a thread has heard of a board, it goes on with what the one before allowed.
            const before = place === 'on a thread' ? allowed : 0
            allowed = Math.max(before, spent + fetcher.inFlight().length + sends)
            fetcher.post({ requests: requests.filter(({ id }) => !answered.has(id)), sends })
            for (let read = 0; read < reads; read++) {
              const outcome = await fetcher.next()
              if (!outcome) break
              expect(answered.has(outcome.id)).toBe(false)
              answered.add(outcome.id)
              spent += costOf(outcome)
              expect(spent + fetcher.inFlight().length).toBeLessThanOrEqual(allowed)
            }
          }
          expect(answered.size).toBe(requests.length)
          expect(fetcher.inFlight()).toEqual([])
          const sent = server.pages().map(({ host, path }) => `${host}${path}`)
          // A connection that hangs up may be a worn-out one, so that is tried once more.
          const tame = sent.filter((url) => hosts[Number(/\d+/.exec(url))].fault !== 'hangs up')
          expect(new Set(tame).size).toBe(tame.length)
          expect(tame.length).toBeLessThanOrEqual(spent)
        }),
        { numRuns },
      )
    },
    60_000 + 5_000 * numRuns,
  )
})

test.each([
  ['in process', fetcherTo],
  ['on a thread', threadTo],
])('%s, when all sends are used up nobody is waited for beyond another time', async (_, open) => {
  await using server = await scriptedServer((request, response) => {
    if (request.url !== '/never') smallSite()(request, response)
  })
  const clock = { now: () => Date.now() / 1000 }
  await using fetcher = open(server.port, { clock })
  const requests = requestsFor('http://a.example/never', 'http://b.example/')
  fetcher.post({ requests, sends: 2 })
  const seconds = clock.now()
  const never = Number.POSITIVE_INFINITY
  expect(await fetcher.next()).toMatchObject({ url: 'http://b.example/' })
  expect(await fetcher.next(never, seconds)).toBeUndefined()
  fetcher.post({ requests: requestsFor('http://a.example/never'), sends: 1 })
  expect(await fetcher.next(clock.now() + 0.1, seconds)).toBeUndefined()
  expect(clock.now()).toBeGreaterThan(seconds + 0.1)
  expect(fetcher.inFlight()).toHaveLength(1)
})

describe('a budget', () => {
  const page = Buffer.alloc(40_000, '<p>word</p>')
  const large: Respond = (request, response) => {
    if (request.url === '/robots.txt') response.writeHead(404).end()
    else response.writeHead(200, { 'content-type': 'text/html' }).end(page)
  }

  test('of bytes is never overrun, and nothing more comes when it is spent', async () => {
    await using server = await scriptedServer(large)
    let left = 3_000_000
    await using fetcher = fetcherTo(server.port, { bytesLeft: () => left })
    const urls = Array.from({ length: 200 }, (_, n) => `http://h${n % 20}.example/${n}`)
    let pages = 0
    for await (const outcome of answersTo(fetcher, requestsFor(...urls))) {
      if ('bytes' in outcome) left -= outcome.bytes
      if (outcome.kind === 'page') pages++
      else expect(outcome).toMatchObject({ kind: 'failed', reason: 'out of bytes', sent: true })
      expect(left).toBeGreaterThanOrEqual(0)
    }
    expect(pages).toBe(75)
    expect(server.pages().length).toBeLessThanOrEqual(76)
  })

  test('of time ends the waiting when it is over, whoever still owes an answer', async () => {
    await using server = await scriptedServer((request, response) => {
      if (request.url !== '/never') smallSite()(request, response)
    })
    const deadline = Date.now() / 1000 + 0.3
    await using fetcher = fetcherTo(server.port, {
      delayMs: 50,
      deadline,
      clock: { now: () => Date.now() / 1000 },
    })
    const urls = Array.from({ length: 100 }, (_, n) => `http://a.example/${n}`)
    const outcomes = await outcomesOf(fetcher, requestsFor('http://b.example/never', ...urls))
    expect(Date.now() / 1000).toBeGreaterThanOrEqual(deadline - 0.002)
    expect(outcomes[0]).toMatchObject({
      ...{ kind: 'failed', reason: 'out of time', sent: true, brokenOff: true },
    })
    expect(outcomes.length).toBeLessThan(20)
    expect(fetcher.inFlight()).toEqual([])
    expect(await outcomesOf(fetcher, requestsFor('http://c.example/'))).toEqual([])
    // Running out of time says nothing about the site.
    const { hostStates } = await fetcher.memory()
    expect(hostStates.filter(({ failures }) => failures > 0)).toEqual([])
  })
})
