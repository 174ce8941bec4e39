import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { FetchRequest } from '#crawl/ports.ts'
import {
  fetcherTo,
  outcomesOf,
  type Respond,
  requestsFor,
  scriptedServer,
  smallSite,
} from './scripted-server.test-kit.ts'

const never = new AbortController().signal
const pathOf = ({ url }: { url: string }) => new URL(url).pathname

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

/** Long enough for a good server on a busy machine. */
const hasty = { minCallSeconds: 0.4, maxCallSeconds: 2 }

describe('a call that ends early', () => {
  test('leaves a slow answer to the next call, and names it meanwhile', async () => {
    const { respond, release } = holding('/slow')
    await using server = await scriptedServer(respond)
    await using fetcher = fetcherTo(server.port, hasty)
    const requests = requestsFor('http://a.example/slow', 'http://b.example/1')
    expect((await outcomesOf(fetcher, requests)).map(pathOf)).toEqual(['/1'])
    expect(fetcher.inFlight()).toEqual([0])
    release('/slow')
    const next = await outcomesOf(fetcher, [{ id: 7, url: 'http://b.example/2', priority: 0 }])
    expect(next.map(({ id }) => id)).toEqual([0, 7])
    expect(fetcher.inFlight()).toEqual([])
  })

  test('leaves it to a call that asks for nothing, too, which waits as long as it takes', async () => {
    const { respond, release } = holding('/slow')
    await using server = await scriptedServer(respond)
    await using fetcher = fetcherTo(server.port, hasty)
    await outcomesOf(fetcher, requestsFor('http://a.example/slow', 'http://b.example/1'))
    const waiting = outcomesOf(fetcher, [])
    setTimeout(() => release('/slow'), 800) // twice as long as an impatient call would wait
    expect((await waiting).map(pathOf)).toEqual(['/slow'])
    expect(await outcomesOf(fetcher, [])).toEqual([])
  })

  test('does not send again what is under way already', async () => {
    const { respond, release } = holding('/slow')
    await using server = await scriptedServer(respond)
    await using fetcher = fetcherTo(server.port, hasty)
    const requests = requestsFor('http://a.example/slow', 'http://b.example/1')
    await outcomesOf(fetcher, requests)
    const again = outcomesOf(fetcher, requests)
    release('/slow')
    expect((await again).map(({ id }) => id)).toEqual([0, 1])
    expect(server.pages().filter(({ path }) => path === '/slow')).toHaveLength(1)
  })

  test('forgets what waits behind a long rest', async () => {
    await using server = await scriptedServer((request, response) => {
      const isCalm = request.headers.host === 'calm.example'
      smallSite(isCalm ? 'User-agent: *\nCrawl-delay: 50' : undefined)(request, response)
    })
    await using fetcher = fetcherTo(server.port, hasty)
    const urls = ['http://calm.example/1', 'http://a.example/1', 'http://b.example/1']
    const outcomes = await outcomesOf(fetcher, requestsFor(...urls))
    expect(outcomes.map(({ id }) => id)).toEqual([1, 2])
    expect(fetcher.inFlight()).toEqual([])
  })

  test('does not end while hosts that need no rest go on, however long that takes', async () => {
    await using server = await scriptedServer((request, response) => {
      setTimeout(() => smallSite()(request, response), 8)
    })
    await using fetcher = fetcherTo(server.port, { minCallSeconds: 0.4, maxCallSeconds: 0.5 })
    const urls = Array.from({ length: 100 }, (_, n) => `http://a.example/${n}`)
    const others = Array.from({ length: 20 }, (_, n) => `http://h${n}.example/`)
    expect(await outcomesOf(fetcher, requestsFor(...urls, ...others))).toHaveLength(120)
  })

  test('goes on with its only host, though that rests', async () => {
    await using server = await scriptedServer(smallSite())
    await using fetcher = fetcherTo(server.port, {
      delayMs: 20,
      minCallSeconds: 0.05,
      maxCallSeconds: 60,
    })
    const urls = Array.from({ length: 10 }, (_, n) => `http://a.example/${n}`)
    expect(await outcomesOf(fetcher, requestsFor(...urls))).toHaveLength(10)
  })
})

test('an abort yields what earlier calls left under way as well', async () => {
  const { respond, release } = holding('/slow')
  await using server = await scriptedServer(respond)
  await using fetcher = fetcherTo(server.port, hasty)
  await outcomesOf(fetcher, requestsFor('http://a.example/slow', 'http://b.example/1'))
  const last = outcomesOf(fetcher, requestsFor('http://c.example/'), AbortSignal.abort())
  release('/slow')
  expect((await last).map(pathOf)).toEqual(['/slow'])
  expect(server.pages()).toHaveLength(2)
})

test('what a consumer leaves unread comes out of the next call', async () => {
  await using server = await scriptedServer(smallSite())
  await using fetcher = fetcherTo(server.port)
  const urls = Array.from({ length: 10 }, (_, n) => `http://h${n % 3}.example/${n}`)
  const seen: number[] = []
  for await (const { id } of fetcher.fetchAll(requestsFor(...urls), never)) {
    seen.push(id)
    // All others are answered before the consumer leaves.
    while (server.pages().length < 10 || fetcher.inFlight().length > 0)
      await new Promise(setImmediate)
    break
  }
  for (const { id } of await outcomesOf(fetcher, [])) seen.push(id)
  expect(seen.toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
  expect(server.pages()).toHaveLength(10)
})

describe('whatever the servers and the consumer do', () => {
  const host = fc.record({
    pages: fc.integer({ min: 1, max: 6 }),
    answerMs: fc.constantFrom(0, 0, 3, 30),
    crawlDelayMs: fc.constantFrom(0, 0, 5, 40),
    fault: fc.constantFrom('none', 'none', 'none', 'hangs up', 'status 500', 'status 503'),
  })
  const plan = fc.record({
    hosts: fc.array(host, { minLength: 1, maxLength: 6 }),
    delayMs: fc.constantFrom(0, 5),
    /** After so many outcomes the consumer leaves, call by call. */
    leaves: fc.array(fc.constantFrom(1, 3, 1000), { minLength: 1, maxLength: 4 }),
    aborts: fc.boolean(),
  })

  test('every request that is sent gets one outcome, and no other gets one', async () => {
    await fc.assert(
      fc.asyncProperty(plan, async ({ hosts, delayMs, leaves, aborts }) => {
        await using server = await scriptedServer((request, response) => {
          const { answerMs, crawlDelayMs, fault } = hosts[Number(/\d+/.exec(request.headers.host!))]
          if (request.url === '/robots.txt')
            response.end(`User-agent: *\nCrawl-delay: ${crawlDelayMs / 1000}`)
          else if (fault === 'hangs up') request.socket.destroy()
          else if (fault !== 'none') response.writeHead(Number(fault.slice(7))).end()
          else setTimeout(() => smallSite()(request, response), answerMs)
        })
        await using fetcher = fetcherTo(server.port, {
          delayMs,
          busySeconds: 0.02,
          failingSeconds: 0.02,
          minCallSeconds: 0.02,
          maxCallSeconds: 0.06,
        })
        const requests: FetchRequest[] = hosts
          .flatMap(({ pages }, h) =>
            Array.from({ length: pages }, (_, n) => `http://h${h}.test/${n}`),
          )
          .map((url, id) => ({ id, url, priority: id % 5 }))
        const answered = new Set<number>()
        for (let calls = 0; answered.size < requests.length && calls < 200; calls++) {
          const stop = new AbortController()
          const open = requests.filter(({ id }) => !answered.has(id))
          let left = leaves[calls % leaves.length]
          for await (const { id } of fetcher.fetchAll(open, stop.signal)) {
            expect(answered.has(id)).toBe(false)
            answered.add(id)
            if (--left > 0) continue
            if (aborts) stop.abort()
            else break
          }
        }
        expect(answered.size).toBe(requests.length)
        expect(fetcher.inFlight()).toEqual([])
        const sent = server.pages().map(({ host, path }) => `${host}${path}`)
        // A connection that hangs up may be a worn-out one, so that is tried once more.
        const tame = sent.filter((url) => hosts[Number(/\d+/.exec(url))].fault !== 'hangs up')
        expect(new Set(tame).size).toBe(tame.length)
      }),
      { numRuns: 12 },
    )
  })
})

describe('a budget', () => {
  const page = Buffer.alloc(40_000, '<p>word</p>')
  const large: Respond = (request, response) => {
    if (request.url === '/robots.txt') response.writeHead(404).end()
    else response.writeHead(200, { 'content-type': 'text/html' }).end(page)
  }

  test('of bytes is never overrun, and the call ends when it is spent', async () => {
    await using server = await scriptedServer(large)
    let left = 3_000_000
    await using fetcher = fetcherTo(server.port, { bytesLeft: () => left })
    const urls = Array.from({ length: 200 }, (_, n) => `http://h${n % 20}.example/${n}`)
    let pages = 0
    for await (const outcome of fetcher.fetchAll(requestsFor(...urls), never)) {
      if ('bytes' in outcome) left -= outcome.bytes
      if (outcome.kind === 'page') pages++
      else expect(outcome).toMatchObject({ kind: 'failed', reason: 'out of bytes', sent: true })
      expect(left).toBeGreaterThanOrEqual(0)
    }
    expect(pages).toBe(75)
    expect(server.pages().length).toBeLessThanOrEqual(76)
  })

  test('of time ends the call when it is over, whoever still owes an answer', async () => {
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
    expect(fetcher.hostStates().filter(({ failures }) => failures > 0)).toEqual([])
  })
})

describe('a fetcher that is told to end', () => {
  const clock = { now: () => Date.now() / 1000 }

  test('breaks off what hangs, and the host rests from then on, in the next run too', async () => {
    await using server = await scriptedServer((request, response) => {
      if (request.url !== '/never') smallSite()(request, response)
    })
    await using fetcher = fetcherTo(server.port, { clock, delayMs: 3_000, responseFactor: 0 })
    const stop = new AbortController()
    const coming = outcomesOf(fetcher, requestsFor('http://a.example/never'), stop.signal)
    while (server.pages().length === 0) await new Promise(setImmediate)
    // What is saved while it hangs must do as well: the process may end before the next commit.
    const [whileAsked] = fetcher.hostStates()
    expect(whileAsked.readyAt).toBeGreaterThan(clock.now() + 2)
    stop.abort()
    fetcher.endWithin!(0.1)
    expect(await coming).toMatchObject([
      { kind: 'failed', reason: 'out of time', sent: true, brokenOff: true },
    ])
    const [after] = fetcher.hostStates()
    expect(after).toMatchObject({ host: 'a.example', failures: 0, backoffSeconds: 0 })
    expect(after.readyAt).toBeGreaterThanOrEqual(whileAsked.readyAt)
  })

  test('forgets what was never sent: a name that is looked up without end', async () => {
    const lookup = () => new Promise<readonly string[]>(() => {})
    const times = { fetchedAt: clock.now(), validUntil: clock.now() + 60 }
    const robots = { origin: 'http://a.example', kind: 'none', failures: 0, ...times } as const
    await using fetcher = fetcherTo(1, { clock, lookup, resolve: [], robotsRecords: [robots] })
    const coming = outcomesOf(fetcher, requestsFor('http://a.example/'))
    fetcher.endWithin!(0.05)
    expect(await coming).toEqual([])
    expect(fetcher.inFlight()).toEqual([])
    expect(fetcher.hostStates()).toEqual([])
  })
})
