import { brotliCompressSync, gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { costOf } from '#learn/entries/outcome.ts'
import {
  answersTo,
  fetcherTo,
  htmlOf,
  outcomesOf,
  type Respond,
  requestsFor,
  scriptedServer,
  smallSite,
} from './scripted-server.test-kit.ts'

/** One path's answer; robots.txt allows all. */
const answering =
  (status: number, headers: Record<string, string | string[]>, body?: string | Buffer): Respond =>
  (request, response) => {
    if (request.url === '/robots.txt') response.writeHead(404).end()
    else response.writeHead(status, headers).end(body)
  }

/** Some 140 of these are as much as may be unread. */
const LONG = Buffer.alloc(240_000, 'word ')

async function outcomeOf(respond: Respond, url = 'http://example.org/a') {
  await using server = await scriptedServer(respond)
  await using fetcher = fetcherTo(server.port)
  const [outcome] = await outcomesOf(fetcher, requestsFor(url))
  return outcome
}

describe('what an answer means', () => {
  test('a page comes with its title, links, hash, validators and cost', async () => {
    const headers = {
      'content-type': 'text/html; charset=utf-8',
      etag: '"v1"',
      'last-modified': 'Sun, 01 Mar 2026 00:00:00 GMT',
    }
    const outcome = await outcomeOf(answering(200, headers, htmlOf('Grüße')))
    expect(outcome).toMatchObject({
      id: 0,
      url: 'http://example.org/a',
      kind: 'page',
      status: 200,
      at: 1_000,
      bytes: Buffer.byteLength(htmlOf('Grüße')),
      etag: '"v1"',
      lastModified: 'Sun, 01 Mar 2026 00:00:00 GMT',
      page: { title: 'Grüße', links: [{ url: 'http://example.org/next', anchor: 'onward' }] },
    })
    expect(costOf(outcome)).toBe(1)
  })

  test('the same content has the same hash however it is packed', async () => {
    const type = { 'content-type': 'text/html' }
    const html = htmlOf('packed')
    const outcomes = [
      await outcomeOf(answering(200, type, html)),
      await outcomeOf(answering(200, { ...type, 'content-encoding': 'gzip' }, gzipSync(html))),
      await outcomeOf(
        answering(200, { ...type, 'content-encoding': 'br' }, brotliCompressSync(html)),
      ),
    ]
    const hashes = outcomes.map((outcome) => outcome.kind === 'page' && outcome.contentHash)
    expect(new Set(hashes).size).toBe(1)
    expect(hashes[0]).toMatch(/^[0-9a-f]{64}$/)
  })

  test.each([
    [404, 'gone'],
    [410, 'gone'],
    [401, 'denied'],
    [402, 'denied'],
    [403, 'denied'],
    [451, 'denied'],
    [418, 'denied'],
    [429, 'failed'],
    [500, 'failed'],
    [503, 'failed'],
    [304, 'failed'],
    [204, 'unreadable'],
    [202, 'unreadable'],
  ])('status %i is %s', async (status, kind) => {
    expect(await outcomeOf(answering(status, { 'content-type': 'text/html' }))).toMatchObject({
      kind,
      status,
    })
  })

  test('a redirect is reported, not followed, with its target made absolute and canonical', async () => {
    await using server = await scriptedServer(answering(301, { location: '../b/?#top' }))
    await using fetcher = fetcherTo(server.port)
    const [outcome] = await outcomesOf(fetcher, requestsFor('https://example.org/x/a'))
    expect(outcome).toMatchObject({
      kind: 'redirect',
      status: 301,
      target: 'https://example.org/b/',
    })
    expect(server.pages()).toHaveLength(1)
  })

  test.each([
    [{}, 'redirect without Location'],
    [{ location: 'javascript:alert(1)' }, 'redirect to no valid URL'],
    [{ location: 'http://[broken/' }, 'redirect to no valid URL'],
  ])('a redirect with %j fails', async (headers, reason) => {
    const outcome = await outcomeOf(answering(302, headers))
    expect(outcome).toMatchObject({ kind: 'failed', reason, sent: true })
  })

  test('an image is not downloaded', async () => {
    const image = Buffer.alloc(5_000_000)
    const headers = { 'content-type': 'image/png', 'content-length': String(image.length) }
    const outcome = await outcomeOf(answering(200, headers, image))
    expect(outcome).toMatchObject({ kind: 'unreadable', reason: 'type image/png', bytes: 0 })
  })

  test('without a type the body is read if it begins like markup', async () => {
    expect(await outcomeOf(answering(200, {}, `\uFEFF\n ${htmlOf('bare')}`))).toMatchObject({
      kind: 'page',
      page: { title: 'bare' },
    })
    expect((await outcomeOf(answering(200, {}, 'GIF89a…'))).kind).toBe('unreadable')
  })

  test('a body beyond the limit is cut there', async () => {
    const large = answering(200, { 'content-type': 'text/html' }, Buffer.alloc(1_000_001, 'a'))
    expect(await outcomeOf(large)).toMatchObject({
      kind: 'page',
      page: { cut: true },
      bytes: 1_000_000,
    })
  })

  test('X-Robots-Tag counts like the page’s own meta element', async () => {
    const headers = { 'content-type': 'text/html', 'x-robots-tag': ['noindex', 'other: nofollow'] }
    expect(await outcomeOf(answering(200, headers, htmlOf('x')))).toMatchObject({
      page: { noindex: true, nofollow: false },
    })
  })
})

describe('how a host is treated', () => {
  test('its best request goes first, one at a time, on one connection', async () => {
    await using server = await scriptedServer(smallSite())
    await using fetcher = fetcherTo(server.port)
    const requests = [3, 9, 1, 7, 5].map((priority, id) => ({
      id,
      url: `http://example.org/${priority}`,
      priority,
    }))
    const outcomes = await outcomesOf(fetcher, requests)
    expect(outcomes.map(({ kind }) => kind)).toEqual(Array(5).fill('page'))
    expect(server.pages().map(({ path }) => path)).toEqual(['/9', '/7', '/5', '/3', '/1'])
    expect(server.mostInFlight()).toBe(1)
  })

  test('it rests between the end of an answer and the next request, across boards too', async () => {
    await using server = await scriptedServer(smallSite())
    await using fetcher = fetcherTo(server.port, { delayMs: 40 })
    const urls = [1, 2, 3].map((n) => `http://example.org/${n}`)
    await outcomesOf(fetcher, requestsFor(...urls))
    await outcomesOf(fetcher, requestsFor(...urls))
    expect(server.arrivals).toHaveLength(7)
    for (const [i, arrival] of server.arrivals.entries())
      if (i > 0) expect(arrival.at - server.arrivals[i - 1].at).toBeGreaterThanOrEqual(38)
  })

  test('Crawl-delay makes the rest longer', async () => {
    const robots = 'User-agent: *\nCrawl-delay: 0.1\n'
    await using server = await scriptedServer(smallSite(robots))
    await using fetcher = fetcherTo(server.port, { delayMs: 5 })
    await outcomesOf(fetcher, requestsFor('http://example.org/1', 'http://example.org/2'))
    const [first, second] = server.pages()
    expect(second.at - first.at).toBeGreaterThanOrEqual(98)
  })

  test('hosts are asked at the same time, and a silent one holds nobody up', async () => {
    await using server = await scriptedServer((request, response) => {
      if (request.headers.host === 'silent.example' && request.url === '/0') return
      smallSite()(request, response)
    })
    await using fetcher = fetcherTo(server.port)
    const hosts = ['silent', 'a', 'b', 'c', 'd']
    const urls = hosts.flatMap((host) => [0, 1, 2].map((n) => `http://${host}.example/${n}`))
    const done: string[] = []
    for await (const { url } of answersTo(fetcher, requestsFor(...urls))) {
      done.push(url)
      if (done.length === 12) break
    }
    expect(done.filter((url) => url.includes('silent'))).toEqual([])
  })

  test('no more hosts are asked at once than allowed', async () => {
    await using server = await scriptedServer((request, response) => {
      setTimeout(() => smallSite()(request, response), 2)
    })
    await using fetcher = fetcherTo(server.port, { concurrency: 3 })
    const urls = Array.from({ length: 20 }, (_, n) => `http://host${n}.example/`)
    expect(await outcomesOf(fetcher, requestsFor(...urls))).toHaveLength(20)
    expect(server.mostInFlight()).toBeLessThanOrEqual(3)
    expect(server.mostInFlight()).toBeGreaterThan(1)
  })

  test('Host names the URL’s host, and the original scheme is passed on', async () => {
    await using server = await scriptedServer(smallSite())
    await using fetcher = fetcherTo(server.port)
    await outcomesOf(fetcher, requestsFor('https://example.org/?q=a%20b', 'http://example.org:81/'))
    expect(
      server.pages().map(({ host, path, headers }) => [host, path, headers['x-forwarded-proto']]),
    ).toEqual([
      ['example.org', '/?q=a%20b', 'https'],
      ['example.org:81', '/', 'http'],
    ])
    expect(server.arrivals[0].headers['user-agent']).toMatch(/^forager-test/)
  })
})

describe('a connection that was closed while idle', () => {
  test('is replaced without losing the request', async () => {
    let answered = 0
    await using server = await scriptedServer((request, response) => {
      // The third request finds the door shut, once.
      if (++answered === 3) request.socket.destroy()
      else smallSite()(request, response)
    })
    await using fetcher = fetcherTo(server.port)
    const urls = [1, 2, 3].map((n) => `http://example.org/${n}`)
    const outcomes = await outcomesOf(fetcher, requestsFor(...urls))
    expect(outcomes.map(({ kind }) => kind)).toEqual(['page', 'page', 'page'])
  })
})

describe('a host that cannot be reached', () => {
  test('gets no request, and costs nothing', async () => {
    const { port } = await (async () => {
      await using server = await scriptedServer(smallSite())
      return server
    })()
    await using fetcher = fetcherTo(port)
    const outcomes = await outcomesOf(
      fetcher,
      requestsFor('http://a.example/1', 'http://a.example/2'),
    )
    for (const outcome of outcomes) {
      expect(outcome).toMatchObject({
        kind: 'failed',
        reason: 'robots.txt unreachable (connection refused)',
        sent: false,
      })
      expect(costOf(outcome)).toBe(0)
    }
  })

  test('is given up after three connections failed, though its robots.txt is known', async () => {
    const server = await scriptedServer(smallSite())
    const tried: string[] = []
    await using fetcher = fetcherTo(server.port, { onRequest: (url) => tried.push(url) })
    await outcomesOf(fetcher, requestsFor('http://a.example/'))
    await server[Symbol.asyncDispose]()
    tried.length = 0
    const urls = Array.from({ length: 8 }, (_, n) => `http://a.example/${n}`)
    const outcomes = await outcomesOf(fetcher, requestsFor(...urls))
    // The fourth tells that the others would fare no better.
    expect(outcomes).toHaveLength(4)
    for (const outcome of outcomes)
      expect(outcome).toMatchObject({ kind: 'failed', reason: 'connection refused', sent: false })
    expect(tried).toHaveLength(3)
  })
})

describe('stopping', () => {
  test('an abort lets what is under way finish and sends nothing more', async () => {
    const stop = new AbortController()
    await using server = await scriptedServer((request, response) => {
      if (request.url === '/1') stop.abort()
      smallSite()(request, response)
    })
    await using fetcher = fetcherTo(server.port)
    const urls = [0, 1, 2, 3].map((n) => `http://example.org/${n}`)
    const outcomes = await outcomesOf(fetcher, requestsFor(...urls), stop.signal)
    expect(outcomes.map(({ id }) => id)).toEqual([0, 1])
    expect(server.pages()).toHaveLength(2)
  })

  test('an abort does not wait for a host’s delay', async () => {
    await using server = await scriptedServer(smallSite('User-agent: *\nCrawl-delay: 60'))
    await using fetcher = fetcherTo(server.port, { delayMs: 60_000 })
    const stop = new AbortController()
    const all = outcomesOf(fetcher, requestsFor('http://example.org/1'), stop.signal)
    while (server.arrivals.length === 0) await new Promise(setImmediate)
    stop.abort()
    expect(await all).toEqual([])
  })

  test('closing ends what is under way, and sends nothing more', async () => {
    await using server = await scriptedServer((request, response) => {
      if (request.url === '/robots.txt') smallSite()(request, response)
      else void fetcher.close()
    })
    const fetcher = fetcherTo(server.port)
    const outcomes = await outcomesOf(
      fetcher,
      requestsFor('http://example.org/1', 'http://example.org/2'),
    )
    expect(outcomes).toMatchObject([
      { id: 0, kind: 'failed', reason: 'fetcher closed', sent: true },
    ])
    expect(server.pages()).toHaveLength(1)
  })

  test('a consumer who leaves early leaves the fetcher usable', async () => {
    await using server = await scriptedServer(smallSite())
    await using fetcher = fetcherTo(server.port)
    const urls = Array.from({ length: 10 }, (_, n) => `http://h${n % 3}.example/${n}`)
    for await (const _ of answersTo(fetcher, requestsFor(...urls))) break
    expect(await outcomesOf(fetcher, requestsFor(...urls))).toHaveLength(10)
  })

  test('a consumer who falls behind stops the sending, and loses nothing', async () => {
    await using server = await scriptedServer(
      answering(200, { 'content-type': 'text/plain' }, LONG),
    )
    await using fetcher = fetcherTo(server.port, { concurrency: 8 })
    const urls = Array.from({ length: 240 }, (_, n) => `http://h${n % 30}.example/${n}`)
    let seen = 0
    for await (const _ of answersTo(fetcher, requestsFor(...urls))) {
      if (seen++ > 0) continue
      // Long enough for all, were they sent: nothing has arrived for fifty turns.
      for (let calm = 0, last = -1; calm < 50; calm++) {
        if (server.pages().length !== last) calm = 0
        last = server.pages().length
        await new Promise((resolve) => setTimeout(resolve, 2))
      }
      expect(server.pages().length).toBeLessThan(200)
    }
    expect(seen).toBe(240)
  })
})
