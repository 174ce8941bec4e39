import { describe, expect, test } from 'vitest'
import { costOf } from '#learn/entries/outcome.ts'
import {
  fetcherTo,
  htmlOf,
  outcomesOf,
  type Respond,
  requestsFor,
  scriptedServer,
  smallSite,
} from '../scripted-server.test-kit.ts'
import { parseResolveRule } from '../wire/resolve-rules.ts'

/** A site of small pages whose robots.txt answers as told. */
const withRobots =
  (robots: Respond): Respond =>
  (request, response) => {
    if (request.url?.includes('robots')) robots(request, response)
    else response.writeHead(200, { 'content-type': 'text/html' }).end(htmlOf('page'))
  }

async function kindOf(robots: Respond, firstByteMs = 5_000) {
  await using server = await scriptedServer(withRobots(robots))
  const timeouts = { connectMs: 5_000, firstByteMs, totalMs: 10_000 }
  await using fetcher = fetcherTo(server.port, { timeouts })
  const [outcome] = await outcomesOf(fetcher, requestsFor('http://example.org/private'))
  return outcome.kind === 'failed' ? outcome.reason : outcome.kind
}

describe('robots.txt', () => {
  test('forbids: nothing is sent, the rule is named, nothing is spent', async () => {
    await using server = await scriptedServer(smallSite('User-agent: *\nDisallow: /private'))
    await using fetcher = fetcherTo(server.port)
    const outcomes = await outcomesOf(
      fetcher,
      requestsFor('http://example.org/private/1', 'http://example.org/open'),
    )
    expect(outcomes.map(({ kind }) => kind)).toEqual(['disallowed', 'page'])
    expect(outcomes[0]).toMatchObject({ rule: expect.stringContaining('/private') })
    expect(costOf(outcomes[0])).toBe(0)
    expect(server.pages().map(({ path }) => path)).toEqual(['/open'])
  })

  test('is asked for once an origin, before its first page', async () => {
    await using server = await scriptedServer(smallSite())
    await using fetcher = fetcherTo(server.port)
    const urls = [
      'http://a.example/1',
      'http://a.example/2',
      'https://a.example/',
      'http://b.example/',
    ]
    await outcomesOf(fetcher, requestsFor(...urls))
    await outcomesOf(fetcher, requestsFor(...urls))
    const asked = server.arrivals.filter(({ path }) => path === '/robots.txt')
    expect(
      asked.map(({ host, headers }) => `${headers['x-forwarded-proto']} ${host}`).sort(),
    ).toEqual(['http a.example', 'http b.example', 'https a.example'])
  })

  test('is asked for again after a day, and after a failure sooner', async () => {
    let status = 503
    let now = 0
    await using server = await scriptedServer(
      withRobots((_, response) => response.writeHead(status).end()),
    )
    await using fetcher = fetcherTo(server.port, { clock: { now: () => now } })
    const fetchAt = async (seconds: number) => {
      now = seconds
      return (await outcomesOf(fetcher, requestsFor('http://example.org/')))[0].kind
    }
    expect(await fetchAt(0)).toBe('failed')
    status = 200
    expect(await fetchAt(60)).toBe('failed')
    expect(await fetchAt(3_600)).toBe('page')
    expect(await fetchAt(3_600 + 86_000)).toBe('page')
    expect(server.arrivals.filter(({ path }) => path === '/robots.txt')).toHaveLength(2)
    expect(await fetchAt(3_600 + 86_401)).toBe('page')
    expect(server.arrivals.filter(({ path }) => path === '/robots.txt')).toHaveLength(3)
  })

  test.each([401, 403, 404, 410])('that answers %i forbids nothing', async (status) => {
    expect(await kindOf((_, response) => response.writeHead(status).end())).toBe('page')
  })

  test.each([429, 500, 503])('that answers %i closes the site for now', async (status) => {
    expect(await kindOf((_, response) => response.writeHead(status).end())).toBe(
      `robots.txt unreachable (status ${status})`,
    )
  })

  test('that never comes closes the site for now', async () => {
    expect(await kindOf(() => {}, 50)).toBe('robots.txt unreachable (first-byte timeout)')
  })

  test('may be up to five redirects away, and its rules are for the host first asked', async () => {
    const chain =
      (hops: number): Respond =>
      (request, response) => {
        const hop = Number(/robots(\d+)/.exec(request.url ?? '')?.[1] ?? 0)
        if (hop < hops)
          response.writeHead(302, { location: `http://other.example/robots${hop + 1}` }).end()
        else response.writeHead(200).end('User-agent: *\nDisallow: /private')
      }
    expect(await kindOf(chain(5))).toBe('disallowed')
    expect(await kindOf(chain(6))).toBe('page')
  })

  test('counts up to 500 KiB; what follows is ignored', async () => {
    const filler = (length: number) => `# ${'x'.repeat(97)}\n`.repeat(length / 100)
    const rules = (before: number) =>
      `User-agent: *\n${filler(before)}Disallow: /private\n${filler(900_000)}`
    expect(await kindOf((_, response) => response.end(rules(490_000)))).toBe('disallowed')
    expect(await kindOf((_, response) => response.end(rules(600_000)))).toBe('page')
    const start = 'User-agent: *\n'
    const halved = `${start}${'#'.repeat(512_000 - start.length - 12)}\nDisallow: /else`
    expect(await kindOf((_, response) => response.end(halved))).toBe('page')
  })
})

describe('a robots.txt that cannot be had any more', () => {
  const DAY = 86_400

  test('holds as it was for thirty days, and then nothing is allowed', async () => {
    let status = 200
    let now = 0
    await using server = await scriptedServer(
      withRobots((_, response) =>
        response.writeHead(status).end('User-agent: *\nDisallow: /private'),
      ),
    )
    await using fetcher = fetcherTo(server.port, { clock: { now: () => now } })
    const kindsAt = async (days: number) => {
      now = days * DAY
      const urls = ['http://example.org/private', 'http://example.org/open']
      return (await outcomesOf(fetcher, requestsFor(...urls))).map(({ kind }) => kind)
    }
    expect(await kindsAt(0)).toEqual(['disallowed', 'page'])
    status = 500
    expect(await kindsAt(1.5)).toEqual(['disallowed', 'page'])
    expect(await fetcher.explainRobots('http://example.org/private')).toMatchObject({
      allowed: false,
      rule: 'Disallow: /private',
      source: 'last good copy',
      reason: 'status 500',
    })
    expect(await kindsAt(29)).toEqual(['disallowed', 'page'])
    expect(await kindsAt(31)).toEqual(['failed', 'failed'])
    status = 200
    expect(await kindsAt(33)).toEqual(['disallowed', 'page'])
  })

  test('is asked for ever more seldom', async () => {
    let now = 0
    await using server = await scriptedServer(
      withRobots((_, response) => response.writeHead(500).end()),
    )
    await using fetcher = fetcherTo(server.port, { clock: { now: () => now } })
    const tries: number[] = []
    for (now = 0; now <= 6_000; now += 300) {
      const before = server.arrivals.length
      await outcomesOf(fetcher, requestsFor('http://example.org/'))
      if (server.arrivals.length > before) tries.push(now)
    }
    // After 600 seconds, 1200 and 2400, always at the next opportunity.
    expect(tries).toEqual([0, 900, 2_400, 5_100])
  })
})

describe('what is known of robots.txt', () => {
  test.each([
    ['connection refused', 'page'],
    ['status 503', 'failed'],
  ])('that could not be had in an earlier run (%s): a page is %s', async (reason, kind) => {
    await using server = await scriptedServer(smallSite('User-agent: *\nDisallow: /x'))
    const now = Date.now() / 1000
    const record = { origin: 'http://a.example', kind: 'unreachable' as const, reason, failures: 1 }
    const robotsRecords = [{ ...record, fetchedAt: now, validUntil: now + 600 }]
    await using fetcher = fetcherTo(server.port, { robotsRecords })
    const outcomes = await outcomesOf(fetcher, requestsFor('http://a.example/'))
    expect(outcomes).toMatchObject([{ kind }])
  })

  test('survives a restart as plain data: nothing is asked for again', async () => {
    await using server = await scriptedServer(smallSite('User-agent: *\nDisallow: /private'))
    const before = fetcherTo(server.port)
    await outcomesOf(before, requestsFor('http://a.example/', 'https://b.example/'))
    const { robotsRecords } = JSON.parse(JSON.stringify(await before.memory()))
    expect(robotsRecords).toHaveLength(2)
    expect((await before.memory(2_000)).robotsRecords).toEqual([])
    await before.close()
    await using restarted = fetcherTo(server.port, { robotsRecords })
    server.arrivals.length = 0
    const urls = ['http://a.example/private', 'http://a.example/', 'https://b.example/private']
    const outcomes = await outcomesOf(restarted, requestsFor(...urls))
    expect(outcomes.map(({ kind }) => kind)).toEqual(['disallowed', 'page', 'disallowed'])
    expect(server.arrivals.map(({ path }) => path)).toEqual(['/'])
    expect((await restarted.memory()).robotsRecords).toEqual(expect.arrayContaining(robotsRecords))
  })

  test('is kept for as long as Cache-Control says, between an hour and a day', async () => {
    let now = 0
    await using server = await scriptedServer(
      withRobots((_, response) =>
        response.writeHead(200, { 'cache-control': 'max-age=7200' }).end(),
      ),
    )
    await using fetcher = fetcherTo(server.port, { clock: { now: () => now } })
    for (now of [0, 7_000, 7_300, 14_000])
      await outcomesOf(fetcher, requestsFor('http://example.org/'))
    expect(server.arrivals.filter(({ path }) => path === '/robots.txt')).toHaveLength(2)
  })

  test('can be explained for one URL', async () => {
    const robots = `User-agent: *\nDisallow: /\nUser-agent: forager\nCrawl-delay: 2\nDisallow: /x
      Content-Usage: ai=n\nSitemap: https://a.example/s.xml`
    await using server = await scriptedServer(smallSite(robots))
    await using fetcher = fetcherTo(server.port)
    const about = await fetcher.explainRobots('http://a.example/x/y')
    expect(about).toMatchObject({
      allowed: false,
      rule: 'Disallow: /x',
      group: 'forager',
      crawlDelaySeconds: 2,
      source: 'file',
      sitemaps: ['https://a.example/s.xml'],
      contentUsage: 'ai=n',
    })
    expect(about!.ageSeconds).toBeLessThan(60)
    expect(await fetcher.explainRobots('http://a.example/y')).toMatchObject({ allowed: true })
    expect(server.arrivals).toHaveLength(1)
  })

  test.each([
    [404, false, { allowed: true, source: 'no file' }],
    [403, false, { allowed: true, source: 'no file' }],
    [403, true, { allowed: false, source: 'closed', reason: 'status 403' }],
    [500, false, { allowed: false, source: 'unreachable', reason: 'status 500' }],
  ])('after a %i (401 and 403 close: %s) is %j', async (status, closedWhenDenied, expected) => {
    await using server = await scriptedServer((_, response) => response.writeHead(status).end())
    await using fetcher = fetcherTo(server.port, { closedWhenDenied })
    expect(await fetcher.explainRobots('http://a.example/')).toMatchObject(expected)
  })

  test.each([401, 403])('by a %i may be taken for a no', async (status) => {
    await using server = await scriptedServer((_, response) => response.writeHead(status).end())
    await using fetcher = fetcherTo(server.port, { closedWhenDenied: true })
    const [outcome] = await outcomesOf(fetcher, requestsFor('http://a.example/'))
    expect(outcome).toMatchObject({
      kind: 'disallowed',
      rule: `robots.txt answers status ${status}`,
    })
  })
})

test('Content-Usage of robots.txt is recorded with pages that say nothing themselves', async () => {
  const robots =
    'User-agent: *\nContent-Usage: ai=n\nContent-Usage: /own train-ai=n\nContent-Usage: /shy search=n'
  await using server = await scriptedServer(smallSite(robots))
  await using fetcher = fetcherTo(server.port)
  const outcomes = await outcomesOf(
    fetcher,
    requestsFor('http://a.example/', 'http://a.example/own', 'http://a.example/shy'),
  )
  expect(outcomes).toMatchObject([
    { page: { contentUsage: 'ai=n', noindex: false } },
    { page: { contentUsage: 'train-ai=n', noindex: false } },
    { page: { contentUsage: 'search=n', noindex: true } },
  ])
})

describe('a place we do not go', () => {
  const onlyA = (port: number) => ({ resolve: [parseResolveRule(`a.example=127.0.0.1:${port}`)] })

  test('is reported as that, and its robots.txt is not asked for', async () => {
    await using server = await scriptedServer(smallSite())
    await using fetcher = fetcherTo(server.port, onlyA(server.port))
    const url = `http://127.0.0.1:${server.port}/`
    expect(await outcomesOf(fetcher, requestsFor(url))).toMatchObject([{ kind: 'forbidden' }])
    expect(await fetcher.explainRobots(url)).toMatchObject({ allowed: false, source: 'forbidden' })
    expect(server.arrivals).toEqual([])
    // The next run may allow it.
    expect((await fetcher.memory()).robotsRecords).toEqual([])
  })

  test('makes a robots.txt that redirects there unreachable', async () => {
    await using server = await scriptedServer((_, response) => {
      response.writeHead(302, { location: `http://127.0.0.1:${server.port}/robots.txt` }).end()
    })
    await using fetcher = fetcherTo(server.port, onlyA(server.port))
    const [outcome] = await outcomesOf(fetcher, requestsFor('http://a.example/'))
    expect(outcome).toMatchObject({ kind: 'failed', sent: false })
    expect(outcome).toMatchObject({ reason: expect.stringContaining('robots.txt unreachable') })
    expect(server.arrivals).toHaveLength(1)
  })
})
