import { describe, expect, test } from 'vitest'
import { costOf } from '#crawl/outcome.ts'
import {
  fetcherTo,
  htmlOf,
  outcomesOf,
  type Respond,
  requestsFor,
  scriptedServer,
  smallSite,
} from './scripted-server.test-kit.ts'

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
