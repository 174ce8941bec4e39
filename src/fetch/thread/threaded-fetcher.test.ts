import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Exchange, FetchOutcome } from '#learn/entries/outcome.ts'
import { costOf, textFactsOf } from '#learn/entries/outcome.ts'
import { cases } from '#numeric/cases.test-kit.ts'
import {
  fetcherTo,
  outcomesOf,
  type Respond,
  requestsFor,
  scriptedServer,
  smallSite,
  threadTo,
} from '../scripted-server.test-kit.ts'
import { notingServer } from './noting-server.test-kit.ts'

const clock = { now: () => Date.now() / 1000 }

/** Keeps this thread from doing anything for so long, as a plan does. */
function standStill(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}

test('while the main thread stands still for two seconds, no second passes without a request', async () => {
  await using server = await notingServer()
  await using fetcher = threadTo(server.port, { clock, delayMs: 200, responseFactor: 0 })
  const urls = Array.from({ length: 200 }, (_, n) => `http://h${n % 5}.example/${n}`)
  fetcher.post({ requests: requestsFor(...urls), sends: 200 })
  for (let read = 0; read < 10; read++) await fetcher.next()
  standStill(2_000)
  const times = (await server.pages()).map(({ atMs }) => atMs)
  const gaps = times.slice(1).map((atMs, n) => atMs - times[n])
  expect(Math.max(...gaps)).toBeLessThan(1_000)
  expect(times.at(-1)! - times[9]).toBeGreaterThan(1_000)
  fetcher.post({ requests: [], sends: 0 })
  await fetcher.inForce!()
  const sent = await server.pages()
  let read = 10
  while (await fetcher.next()) read++
  expect(read).toBe(sent.length)
})

test('a budget is never overrun nor forgotten, whenever the main thread stands still', async () => {
  const turn = fc.record({
    reads: fc.integer({ min: 1, max: 8 }),
    /** Before the sends are counted, and between that and the board. */
    stallMs: fc.constantFrom(0, 0, 5, 40),
    planMs: fc.constantFrom(0, 0, 5, 40),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(turn, { minLength: 1, maxLength: 8 }), async (turns) => {
      const budget = 40
      await using server = await notingServer()
      const options = { clock, delayMs: 1, responseFactor: 0 }
      await using fetcher = threadTo(server.port, options, { workers: 2 })
      const urls = Array.from(
        { length: 90 },
        (_, n) => `http://h${n % 9}.site${n % 9}.example/${n}`,
      )
      const waiting = new Map(requestsFor(...urls).map((request) => [request.id, request]))
      let spent = 0
      const read = async () => {
        const outcome = await fetcher.next()
        if (!outcome) return false
        expect(waiting.delete(outcome.id), 'each has one outcome').toBe(true)
        spent += costOf(outcome)
        return true
      }
      for (const { reads, stallMs, planMs } of turns) {
        standStill(stallMs)
        const sends = budget - spent - fetcher.inFlight().length
        standStill(planMs)
        fetcher.post({ requests: [...waiting.values()], sends })
        for (let n = 0; n < reads && (await read()); n++);
      }
      fetcher.post({ requests: [], sends: 0 })
      while (await read());
      const pages = await server.pages()
      expect(pages.length).toBe(spent)
      expect(spent).toBeLessThanOrEqual(budget)
      expect(new Set(pages.map(({ url }) => url)).size).toBe(pages.length)
    }),
    { numRuns: cases(2, 20) },
  )
})

test('bytes are never overrun, though the sender counts them elsewhere', async () => {
  const page = Buffer.alloc(40_000, '<p>word</p>')
  await using server = await scriptedServer((request, response) => {
    if (request.url === '/robots.txt') response.writeHead(404).end()
    else response.writeHead(200, { 'content-type': 'text/html' }).end(page)
  })
  let left = 3_000_000
  await using fetcher = threadTo(server.port, { clock, bytesLeft: () => left }, { workers: 2 })
  const urls = Array.from({ length: 120 }, (_, n) => `http://site${n % 20}.example/${n}`)
  fetcher.post({ requests: requestsFor(...urls), sends: urls.length })
  for (let outcome = await fetcher.next(); outcome; outcome = await fetcher.next())
    if ('bytes' in outcome) left -= outcome.bytes
  expect(left).toBe(0)
  expect(fetcher.isOutOfBytes!()).toBe(true)
  expect(server.pages().length).toBeLessThanOrEqual(76)
})

describe('what went over the wire', () => {
  const random = Buffer.from(Array.from({ length: 300_000 }, (_, n) => (n * n * 31) % 251))
  const site: Respond = (request, response) => {
    response.sendDate = false
    const html = { 'content-type': 'text/html' }
    if (request.url === '/robots.txt') response.end('User-agent: *\nDisallow: /no')
    else if (request.url === '/packed')
      response.writeHead(200, { ...html, 'content-encoding': 'gzip' }).end(gzipSync(random))
    else if (request.url === '/large') response.writeHead(200, html).end(random)
    else if (request.url === '/empty') response.writeHead(200, html).end()
    else if (request.url === '/gone') response.writeHead(410, { 'x-odd': 'caf\xe9' }).end('gone')
    else if (request.url === '/away')
      response.writeHead(301, { location: 'http://b.example/' }).end()
    else response.writeHead(200, html).end('<title>t</title><a href=/x>words</a>')
  }
  const timeless = (exchange?: Exchange) =>
    exchange && { ...exchange, startedAt: 0, body: Buffer.from(exchange.body).toString('base64') }
  const withoutTimes = (outcome: FetchOutcome) => ({
    ...{ ...outcome, at: 0, ms: 0, exchange: timeless(outcome.exchange) },
    ...(outcome.kind === 'page' && { textFacts: textFactsOf(outcome) }),
    robots: outcome.robots?.map(({ url, exchange }) => ({ url, exchange: timeless(exchange) })),
  })

  test('is the same byte for byte, fetched in process or on a thread', async () => {
    await using server = await scriptedServer(site)
    const paths = ['', 'packed', 'large', 'empty', 'gone', 'away', 'no']
    const requests = requestsFor(...paths.map((path) => `http://a.example/${path}`))
    const outcomes = await Promise.all(
      [fetcherTo, threadTo].map(async (open) => {
        await using fetcher = open(server.port, { clock, keepExchange: true })
        return (await outcomesOf(fetcher, requests)).map(withoutTimes)
      }),
    )
    expect(outcomes[0]).toHaveLength(paths.length)
    expect(outcomes[0][2].exchange!.body.length).toBeGreaterThan(300_000)
    expect(outcomes[1]).toEqual(outcomes[0])
  })
})

test('a worker that ends is replaced, and what it had sent is counted once', async () => {
  await using server = await scriptedServer(smallSite())
  const program = new URL('./dying-thread.test-kit.ts', import.meta.url)
  const options = { clock, delayMs: 1, responseFactor: 0 }
  await using fetcher = threadTo(server.port, options, { workers: 3, program })
  const names = ['1', '2', 'die', '3', '4']
  const urls = Array.from({ length: 12 }, (_, host) =>
    names.map(
      (name) => `http://site${host}.example/${host % 4 === 0 || name !== 'die' ? name : 0}`,
    ),
  ).flat()
  const outcomes = await outcomesOf(fetcher, requestsFor(...urls))
  expect(outcomes.map(({ id }) => id)).toEqual(urls.map((_, id) => id))
  const lost = outcomes.filter(({ kind }) => kind === 'failed')
  expect(lost.filter(({ url }) => url.endsWith('/die'))).toHaveLength(3)
  for (const outcome of lost) expect(costOf(outcome)).toBe(1)
  expect(outcomes.filter(({ kind }) => kind === 'page').length).toBe(urls.length - lost.length)
  const pages = server.pages().map(({ host, path }) => host + path)
  expect(new Set(pages).size, 'nothing was sent twice').toBe(pages.length)
  expect(fetcher.inFlight()).toEqual([])
})

describe('a thread that ends', () => {
  const broken = (code: string) => new URL(`data:text/javascript,${encodeURIComponent(code)}`)

  test.each([
    ['by an error', 'throw new TypeError("out of order")', /has ended: out of order/],
    ['all at once', 'process.exit(3)', /has ended/],
  ])('%s ends the crawl with a word about it', async (_, code, word) => {
    await using fetcher = threadTo(1, { clock }, { program: broken(code) })
    fetcher.post({ requests: requestsFor('http://a.example/'), sends: 1 })
    await expect(fetcher.next()).rejects.toThrow(word)
    await expect(fetcher.inForce!()).rejects.toThrow(word)
    await expect(fetcher.memory()).rejects.toThrow(word)
  })

  test('does not keep its caller waiting when it is closed amid a request', async () => {
    await using server = await scriptedServer((request, response) => {
      if (request.url === '/robots.txt') smallSite()(request, response)
    })
    const fetcher = threadTo(server.port, { clock })
    fetcher.post({ requests: requestsFor('http://a.example/never'), sends: 1 })
    const next = fetcher.next()
    while (server.pages().length === 0) await new Promise(setImmediate)
    const startedAt = performance.now()
    await fetcher.close()
    expect(performance.now() - startedAt).toBeLessThan(2_000)
    expect(await next).toSatisfy((outcome) => outcome === undefined || outcome.kind === 'failed')
  })

  test('is no more once it is closed, even if it hears nothing', async () => {
    const fetcher = threadTo(1, { clock }, { program: broken('while (true);') })
    await fetcher.close()
    expect(await fetcher.next()).toBeUndefined()
  })
})
