import { describe, expect, test } from 'vitest'
import { parseQuietHours } from '#crawl/pace/quiet-hours.ts'
import { parseSiteMatch, type SiteMatch } from '#parse/url/site-match.ts'
import {
  fetcherTo,
  outcomesOf,
  type Respond,
  requestsFor,
  scriptedServer,
  scriptedTlsServer,
  smallSite,
  threadTo,
} from '../scripted-server.test-kit.ts'
import { selfSigned } from '../self-signed.test-kit.ts'
import { smallProxy } from '../transport.test-kit.ts'
import { parseProxy } from '../wire/proxy.ts'
import { parseResolveRule } from '../wire/resolve-rules.ts'
import { type SiteRule, Sites } from './sites.ts'

const SECRET = 'Bearer only-for-its-own-site'

function rule(match: string, more: Partial<SiteRule> = {}): SiteRule {
  return { match: parseSiteMatch(match) as SiteMatch, ...more }
}

const own = (match: string, more: Partial<SiteRule> = {}) =>
  rule(match, { secretHeaders: { authorization: SECRET }, ...more })

test('for a URL, and for a host, the one rule holds whose match says most', () => {
  const rules = [own('*.example'), rule('a.example'), own('a.example/x'), own('b.example:81')]
  const sites = new Sites(rules)
  const of = (url: string) => sites.ofUrl(new URL(url))?.match.text
  expect(of('https://c.example/')).toBe('*.example')
  expect(of('https://a.example/')).toBe('a.example')
  expect(of('https://a.example/x/y')).toBe('a.example/x')
  expect(of('https://b.example:81/')).toBe('b.example:81')
  expect(of('https://b.example:82/')).toBeUndefined()
  expect(sites.ofHost('a.example')?.match.text).toBe('a.example')
  sites.replace([])
  expect(of('https://a.example/')).toBeUndefined()
})

describe.each([
  ['in process', fetcherTo],
  ['on a thread', threadTo],
])('secrets that are sent %s', (_, open) => {
  test('go to their site, robots.txt included, are in no exchange, and change when they are told to', async () => {
    await using server = await scriptedServer(smallSite('User-agent: *\nDisallow: /no'))
    await using fetcher = open(server.port, { sites: [own('a.example')], keepExchange: true })
    const urls = ['https://a.example/1', 'https://b.example/1', 'http://a.example/1']
    const outcomes = await outcomesOf(fetcher, requestsFor(...urls))
    const withSecret = () =>
      server.arrivals.flatMap(({ host, path, headers }) =>
        headers.authorization
          ? `${headers['x-forwarded-proto']}://${host}${path} ${headers.authorization}`
          : [],
      )
    const before = [`https://a.example/robots.txt ${SECRET}`, `https://a.example/1 ${SECRET}`]
    expect(withSecret()).toEqual(before)
    expect(JSON.stringify(outcomes)).toMatch(/GET \/1 HTTP/)
    expect(JSON.stringify(outcomes)).not.toMatch(/authorization|only-for-its-own-site/)
    fetcher.useSites([rule('b.example', { secretHeaders: { authorization: 'Bearer new' } })])
    await outcomesOf(fetcher, requestsFor('https://a.example/2', 'https://b.example/2'))
    expect(withSecret()).toEqual([...before, 'https://b.example/2 Bearer new'])
  })
})

describe('a secret is kept from', () => {
  /** What a server got for a URL, by the options. */
  async function sentFor(url: string, options: Parameters<typeof fetcherTo>[1]) {
    await using server = await scriptedServer(smallSite())
    await using fetcher = fetcherTo(server.port, options)
    await outcomesOf(fetcher, requestsFor(url))
    return server.pages().map(({ headers }) => headers.authorization)
  }

  test.each([
    ['a stand-in on this machine for https: no', 'https://a.example/', 'a.example', SECRET],
    ['http to another host: yes', 'http://a.example/', 'a.example', undefined],
    [
      'http to a host that is named with it: yes',
      'http://a.example/',
      'http://a.example',
      undefined,
    ],
    ['another port: yes', 'https://a.example:8443/', 'a.example', undefined],
    ['a host below: yes', 'https://b.a.example/', 'a.example', undefined],
  ])('%s', async (_, url, match, expected) => {
    expect(await sentFor(url, { sites: [own(match)] })).toEqual([expected])
  })

  test('nobody on http if the operator says so', async () => {
    const sites = [own('a.example', { allowHttp: true })]
    expect(await sentFor('http://a.example/', { sites })).toEqual([SECRET])
    expect(await sentFor('http://a.example:81/', { sites })).toEqual([undefined])
  })

  test('no port of this machine but its own', async () => {
    await using server = await scriptedServer(smallSite())
    await using other = await scriptedServer(smallSite())
    const here = `127.0.0.1:${server.port}`
    await using fetcher = fetcherTo(server.port, {
      ...{ resolve: [], allowPrivate: true, sites: [own(here)] },
    })
    const urls = [`http://${here}/`, `http://127.0.0.1:${other.port}/`]
    await outcomesOf(fetcher, requestsFor(...urls))
    expect(server.arrivals.map(({ headers }) => headers.authorization)).toEqual([SECRET, SECRET])
    expect(other.arrivals.some(({ headers }) => 'authorization' in headers)).toBe(false)
  })

  test('a proxy, though the host is said to be this machine', async () => {
    await using server = await scriptedServer(smallSite())
    await using proxy = await smallProxy(server.port)
    await using fetcher = fetcherTo(server.port, {
      ...{ resolve: [], allowPrivate: true, sites: [own('localhost:8080')] },
      proxy: parseProxy(`http://127.0.0.1:${proxy.port}`),
    })
    const [outcome] = await outcomesOf(fetcher, requestsFor('http://localhost:8080/'))
    expect(outcome.kind).toBe('page')
    expect(proxy.heads.join()).not.toMatch(/authorization/i)
  })

  test.each([
    ['HTTP/1.1', false],
    ['HTTP/2', true],
  ])('no site of its own with TLS and %s, and from no other there', async (_, http2) => {
    const certificate = selfSigned(['a.example', 'b.example'])
    await using server = await scriptedTlsServer(certificate, smallSite())
    await using fetcher = fetcherTo(server.port, {
      resolve: [parseResolveRule(`*=https://127.0.0.1:${server.port}`)],
      ...{ ca: certificate.cert, http2, sites: [own('a.example')] },
    })
    await outcomesOf(fetcher, requestsFor('https://a.example/', 'https://b.example/'))
    for (const { host, headers, version } of server.arrivals) {
      expect(version).toBe(http2 ? '2.0' : '1.1')
      expect(headers.authorization).toBe(host === 'a.example' ? SECRET : undefined)
    }
    expect(server.arrivals).toHaveLength(4)
  })
})

describe('a site that says no', () => {
  const refuse =
    (status: number, headers: Record<string, string> = {}): Respond =>
    (request, response) => {
      if (request.url === '/robots.txt') response.writeHead(404).end()
      else response.writeHead(status, headers).end()
    }

  test.each([
    ['to credentials', 'https://a.example/', 401, {}, 'credentials not accepted'],
    ['to credentials, by 403', 'https://a.example/', 403, {}, 'credentials not accepted'],
    [
      'to credentials, and asks for others',
      ...(['https://a.example/', 401] as const),
      { 'www-authenticate': 'Basic' },
      'credentials not accepted',
    ],
    [
      'as they were not sent',
      ...(['http://a.example/', 401] as const),
      { 'www-authenticate': 'Basic' },
      'credentials not sent without https',
    ],
    [
      'as it wants something else',
      ...(['https://a.example/', 403] as const),
      { 'accept-signature': 'x=()' },
      'asks for a signature',
    ],
    ['for another reason', 'https://a.example/', 451, {}, undefined],
    ['and is not ours', 'https://b.example/', 403, {}, undefined],
  ])('%s is denied for that reason', async (_, url, status, headers, reason) => {
    await using server = await scriptedServer(refuse(status, headers))
    await using fetcher = fetcherTo(server.port, { sites: [own('a.example')] })
    const [outcome] = await outcomesOf(fetcher, requestsFor(url))
    expect(outcome).toMatchObject({ kind: 'denied', status })
    expect('reason' in outcome ? outcome.reason : undefined).toBe(reason)
  })
})

test('a site in its quiet hours is put off until they end, and others are not', async () => {
  await using server = await scriptedServer(smallSite())
  const morning = Date.UTC(2026, 0, 5, 9, 30) / 1000
  await using fetcher = fetcherTo(server.port, {
    clock: { now: () => morning },
    sites: [rule('own.example', { quiet: [parseQuietHours('Mon-Fri 08:00-18:00 UTC')!] })],
  })
  const [own, other] = await outcomesOf(
    fetcher,
    requestsFor('https://own.example/', 'https://other.example/'),
  )
  expect(own).toMatchObject({
    ...{ kind: 'failed', sent: false, reason: 'these are its quiet hours' },
    retryAfterSeconds: expect.closeTo(8.5 * 3600, 0),
  })
  expect(other.kind).toBe('page')
  expect(server.arrivals.map(({ host }) => host)).not.toContain('own.example')
})

test('a site of its own gets as many requests at once as it is meant to, others no more than before', async () => {
  const [underWay, most] = [new Map<string, number>(), new Map<string, number>()]
  await using server = await scriptedServer(async (request, response) => {
    const host = request.headers.host!
    const count = (underWay.get(host) ?? 0) + 1
    underWay.set(host, count)
    most.set(host, Math.max(most.get(host) ?? 0, count))
    await new Promise((resolve) => setTimeout(resolve, 20))
    underWay.set(host, underWay.get(host)! - 1)
    smallSite()(request, response)
  })
  await using fetcher = fetcherTo(server.port, {
    ...{ delayMs: 5, perDomain: 1, perAddress: 1, responseFactor: 0 },
    clock: { now: () => performance.now() / 1000 },
    sites: [rule('own.example', { connections: 4, delaySeconds: 0 })],
  })
  const urls = Array.from(
    { length: 24 },
    (_, n) => `https://${n % 2 ? 'own' : 'other'}.example/${n}`,
  )
  await outcomesOf(fetcher, requestsFor(...urls))
  expect(Object.fromEntries(most)).toEqual({ 'own.example': 4, 'other.example': 1 })
})
