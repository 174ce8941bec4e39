import { describe, expect, test } from 'vitest'
import { costOf } from '#learn/entries/outcome.ts'
import { ValidatorsTrust } from './client/validators-trust.ts'
import {
  fetcherTo,
  htmlOf,
  outcomesOf,
  requestsFor,
  scriptedServer,
  smallSite,
} from './scripted-server.test-kit.ts'

describe('a private address', () => {
  test('is forbidden to the whole fetcher: no robots.txt, no page, no cost', async () => {
    await using server = await scriptedServer(smallSite())
    await using fetcher = fetcherTo(server.port, { resolve: [] })
    const urls = [`http://127.0.0.1:${server.port}/1`, `http://127.0.0.1:${server.port}/2`]
    const outcomes = await outcomesOf(fetcher, requestsFor(...urls))
    expect(outcomes).toHaveLength(2)
    for (const outcome of outcomes) {
      expect(outcome).toMatchObject({ kind: 'forbidden', reason: 'loopback address 127.0.0.1' })
      expect(costOf(outcome)).toBe(0)
    }
    expect(server.arrivals).toEqual([])
  })

  test('is not reached through a redirect either: the target is a URL like any other', async () => {
    await using server = await scriptedServer((request, response) => {
      if (request.url === '/robots.txt') response.writeHead(404).end()
      else response.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data/' }).end()
    })
    await using fetcher = fetcherTo(server.port, {
      resolve: [{ pattern: 'a.example', address: '127.0.0.1', port: server.port }],
    })
    const [first] = await outcomesOf(fetcher, requestsFor('http://a.example/'))
    if (first?.kind !== 'redirect') throw new Error('no redirect')
    const [second] = await outcomesOf(fetcher, requestsFor(first.target))
    expect(second).toMatchObject({
      kind: 'forbidden',
      reason: 'link-local address 169.254.169.254',
    })
  })

  test('that a robots.txt sends us to leaves the site without robots.txt, and us without leave', async () => {
    await using server = await scriptedServer((request, response) => {
      if (request.url === '/robots.txt')
        response.writeHead(302, { location: 'http://10.0.0.1/robots.txt' }).end()
      else smallSite()(request, response)
    })
    await using fetcher = fetcherTo(server.port, {
      resolve: [{ pattern: 'a.example', address: '127.0.0.1', port: server.port }],
    })
    expect(await outcomesOf(fetcher, requestsFor('http://a.example/'))).toMatchObject([
      { kind: 'failed', reason: 'robots.txt unreachable (private address 10.0.0.1)', sent: false },
    ])
    expect(server.pages()).toEqual([])
  })
})

describe('a page we have a copy of', () => {
  const etag = '"v1"'
  const lastModified = 'Sun, 01 Mar 2026 00:00:00 GMT'

  /** A server that keeps to RFC 9110: the tag decides if there is one. */
  const revalidating = () =>
    scriptedServer((request, response) => {
      if (request.url === '/robots.txt') return response.writeHead(404).end()
      const { 'if-none-match': tag, 'if-modified-since': since } = request.headers
      const isGood = tag === undefined ? since === lastModified : tag === etag
      if (isGood) return response.writeHead(304, { etag }).end()
      response.writeHead(200, { etag, 'content-type': 'text/html' }).end(htmlOf('fresh'))
    })

  test.each([
    [{ etag, lastModified }, 'unchanged'],
    [{ lastModified }, 'unchanged'],
    [{ etag: '"v0"', lastModified }, 'page'],
    [{ lastModified: 'Sat, 28 Feb 2026 00:00:00 GMT' }, 'page'],
    [undefined, 'page'],
  ])('with %j is %s', async (validators, kind) => {
    await using server = await revalidating()
    await using fetcher = fetcherTo(server.port)
    const request = { id: 0, url: 'http://a.example/', priority: 0, validators }
    const [outcome] = await outcomesOf(fetcher, [request])
    expect(outcome).toMatchObject({ kind, status: kind === 'page' ? 200 : 304 })
    expect(costOf(outcome!)).toBe(1)
  })
})

test('with keepExchange every outcome that had an answer carries it', async () => {
  await using server = await scriptedServer((request, response) => {
    if (request.url === '/moved') response.writeHead(301, { location: '/page' }).end()
    else if (request.url === '/gone') response.writeHead(410).end('gone for good')
    else smallSite()(request, response)
  })
  await using fetcher = fetcherTo(server.port, { keepExchange: true })
  const urls = ['page', 'moved', 'gone'].map((path) => `http://a.example/${path}`)
  const outcomes = await outcomesOf(fetcher, requestsFor(...urls))
  expect(outcomes.map(({ kind }) => kind)).toEqual(['page', 'redirect', 'gone'])
  for (const { exchange, url } of outcomes) {
    expect(exchange!.requestHead).toContain(`GET ${new URL(url).pathname} HTTP/1.1\r\n`)
    expect(exchange!.responseHead).toMatch(/^HTTP\/1\.1 \d{3} .+\r\n(.+\r\n)+\r\n$/)
    expect(exchange!.ip).toBe('127.0.0.1')
  }
  expect(Buffer.from(outcomes[2]!.exchange!.body).toString()).toBe('gone for good')
})

test('with keepExchange the first outcome of an origin brings its robots.txt along, every hop of it', async () => {
  const rules = 'User-agent: *\nDisallow: /private'
  await using server = await scriptedServer((request, response) => {
    if (request.url === '/robots.txt' && request.headers.host === 'a.example')
      response.writeHead(301, { location: 'http://www.a.example/robots.txt' }).end()
    else if (request.url === '/robots.txt') response.end(rules)
    else smallSite()(request, response)
  })
  await using fetcher = fetcherTo(server.port, { keepExchange: true })
  const first = await outcomesOf(fetcher, requestsFor('http://a.example/private'))
  expect(first).toMatchObject([{ kind: 'disallowed' }])
  expect(first.map(costOf), 'a robots.txt costs no fetch').toEqual([0])
  const robots = first[0]!.robots!
  expect(robots.map(({ url }) => url)).toEqual([
    'http://a.example/robots.txt',
    'http://www.a.example/robots.txt',
  ])
  expect(robots[0]!.exchange.responseHead).toMatch(/^HTTP\/1\.1 301 /)
  expect(robots[1]!.exchange.requestHead).toMatch(/^GET \/robots\.txt HTTP\/1\.1\r\n/)
  expect(Buffer.from(robots[1]!.exchange.body).toString()).toBe(rules)
  const [second] = await outcomesOf(fetcher, requestsFor('http://a.example/page'))
  expect(second).not.toHaveProperty('robots')
})

test('a host that answers 304 to any question is found out, and asked plainly', async () => {
  await using server = await scriptedServer((request, response) => {
    if (request.url === '/robots.txt') return response.writeHead(404).end()
    const { 'if-none-match': tag } = request.headers
    if (tag) return response.writeHead(304).end()
    response.writeHead(200, { 'content-type': 'text/html' }).end(htmlOf('really new'))
  })
  await using fetcher = fetcherTo(server.port)
  const kinds: string[] = []
  for (let visit = 0; visit < 4; visit++) {
    const request = {
      id: visit,
      url: 'http://a.example/',
      priority: 0,
      validators: { etag: '"v1"' },
    }
    kinds.push(...(await outcomesOf(fetcher, [request])).map(({ kind }) => kind))
  }
  expect(kinds).toEqual(['unchanged', 'failed', 'page', 'page'])
  const { hostTrusts } = await fetcher.memory()
  expect(hostTrusts).toMatchObject([{ host: 'a.example', distrustedAt: 1_000 }])
  await using successor = fetcherTo(server.port, { hostTrusts })
  const again = { id: 9, url: 'http://a.example/', priority: 0, validators: { etag: '"v1"' } }
  expect(await outcomesOf(successor, [again])).toMatchObject([{ kind: 'page' }])
})

test('a host that never answers 304 is noted', async () => {
  const headers = { 'content-type': 'text/html', etag: '"v1"' }
  await using server = await scriptedServer((_, response) =>
    response.writeHead(200, headers).end(htmlOf('always the same')),
  )
  await using fetcher = fetcherTo(server.port)
  for (let visit = 0; visit < 5; visit++)
    await outcomesOf(fetcher, [
      { id: visit, url: 'http://a.example/', priority: 0, validators: { etag: '"v1"' } },
    ])
  const { hostTrusts } = await fetcher.memory()
  expect(new ValidatorsTrust(hostTrusts).neverAnswers304('a.example')).toBe(true)
})

test('cookies are neither kept nor sent', async () => {
  await using server = await scriptedServer((request, response) => {
    response.setHeader('set-cookie', ['session=1; Path=/', 'track=2'])
    smallSite()(request, response)
  })
  await using fetcher = fetcherTo(server.port)
  await outcomesOf(fetcher, requestsFor('http://a.example/1', 'http://a.example/2'))
  expect(server.pages()).toHaveLength(2)
  for (const { headers } of server.arrivals) expect(headers).not.toHaveProperty('cookie')
})
