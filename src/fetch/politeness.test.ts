import { describe, expect, test } from 'vitest'
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
import { parseProxy } from './wire/proxy.ts'

/** A timer may fire a little before its time. */
const TOLERANCE_MS = 2

interface Answered {
  readonly path: string
  readonly at: number
  readonly endedAt: number
}

/** Writes down by host when each request came, and when the last byte of its answer was on its way. */
function witness(robots: (host: string) => string, answerMs: (path: string) => number) {
  const byHost = new Map<string, Answered[]>()
  let underWay = 0
  let mostUnderWay = 0
  const respond: Respond = (request, response) => {
    const { url: path = '', headers } = request
    const host = headers.host!
    const at = performance.now()
    mostUnderWay = Math.max(mostUnderWay, ++underWay)
    setTimeout(() => {
      underWay--
      const answers = byHost.get(host) ?? []
      byHost.set(host, answers)
      answers.push({ path, at, endedAt: performance.now() })
      if (path === '/robots.txt') response.end(robots(host))
      else response.writeHead(200, { 'content-type': 'text/html' }).end(htmlOf(path))
    }, answerMs(path))
  }
  return { respond, byHost, mostUnderWay: () => mostUnderWay }
}

describe('fifty hosts at full speed', () => {
  const delayMs = 20
  const factor = 2
  const crawlDelayMs = (host: string) => 30 + Number(/\d+/.exec(host)![0])

  test('none is asked before its time, and all are asked side by side', async () => {
    const { respond, byHost, mostUnderWay } = witness(
      (host) => `User-agent: *\nCrawl-delay: ${crawlDelayMs(host) / 1000}\n`,
      // A few answers take longer than a Crawl-delay does.
      (path) => (path.endsWith('3') ? 45 : 3),
    )
    await using server = await scriptedServer(respond)
    await using fetcher = fetcherTo(server.port, { delayMs, responseFactor: factor })
    const urls = Array.from({ length: 300 }, (_, n) => `http://h${n % 50}.example/${n}`)
    const startedAt = performance.now()
    const outcomes = await outcomesOf(fetcher, requestsFor(...urls))
    const elapsedMs = performance.now() - startedAt
    expect(outcomes.map(({ kind }) => kind)).toEqual(Array(300).fill('page'))

    let restMs = 0
    const violations: string[] = []
    for (const [host, answers] of byHost) {
      expect(answers.map(({ path }) => path)[0]).toBe('/robots.txt')
      expect(answers).toHaveLength(7)
      for (const [i, { at, path }] of answers.entries()) {
        if (i === 0) continue
        const before = answers[i - 1]
        const tookMs = before.endedAt - before.at
        const owedMs = Math.max(delayMs, crawlDelayMs(host), factor * tookMs)
        const gapMs = at - before.endedAt
        restMs += owedMs
        if (gapMs < owedMs - TOLERANCE_MS) violations.push(`${host}${path} after ${gapMs} ms`)
      }
    }
    expect(violations).toEqual([])
    // One after the other would have taken all these rests in a row.
    expect(elapsedMs).toBeLessThan(restMs / 3)
    expect(mostUnderWay()).toBeGreaterThan(5)
  })

  test('a robots.txt that sends us to another host is no excuse', async () => {
    const { respond, byHost } = witness(
      () => 'User-agent: *\nDisallow: /x',
      () => 3,
    )
    await using server = await scriptedServer((request, response) => {
      // Every site keeps its rules at the same place, and that one at the first site's.
      const { host } = request.headers
      const elsewhere = host === 'rules.example' ? 'h0.example' : 'rules.example'
      if (request.url === '/robots.txt' && host !== 'h0.example') {
        byHost.set(host!, byHost.get(host!) ?? [])
        const at = performance.now()
        byHost.get(host!)!.push({ path: '/robots.txt', at, endedAt: at })
        response.writeHead(301, { location: `http://${elsewhere}/robots.txt` }).end()
      } else respond(request, response)
    })
    await using fetcher = fetcherTo(server.port, { delayMs: 20, responseFactor: 0 })
    const urls = Array.from({ length: 8 }, (_, n) => `http://h${n % 4}.example/${n}`)
    const outcomes = await outcomesOf(
      fetcher,
      requestsFor(...urls, 'http://rules.example/x', 'http://h3.example/x'),
    )
    expect(outcomes.map(({ kind }) => kind)).toEqual([
      ...Array(8).fill('page'),
      'disallowed',
      'disallowed',
    ])
    for (const answers of byHost.values())
      for (const [i, { at }] of answers.entries())
        if (i > 0) expect(at - answers[i - 1].endedAt).toBeGreaterThanOrEqual(20 - TOLERANCE_MS)
  })
})

describe('hosts that belong together', () => {
  const slowly: Respond = (request, response) => {
    if (request.url === '/robots.txt') response.writeHead(404).end()
    else setTimeout(() => smallSite()(request, response), 10)
  }
  /** Most page requests under way at once. */
  const mostPages = (pages: { at: number; endedAt: number }[]) =>
    Math.max(...pages.map(({ at }) => pages.filter((p) => p.at <= at && p.endedAt > at).length))

  test('those of one domain have two requests under way at most, others go on', async () => {
    await using server = await scriptedServer(slowly)
    await using fetcher = fetcherTo(server.port, { delayMs: 1 })
    const urls = Array.from({ length: 24 }, (_, n) => `http://h${n % 8}.site.example/${n}`)
    const others = Array.from({ length: 6 }, (_, n) => `http://other${n}.example/`)
    const outcomes = await outcomesOf(fetcher, requestsFor(...urls, ...others))
    expect(outcomes.filter(({ kind }) => kind === 'page')).toHaveLength(30)
    const pages = server.pages()
    expect(mostPages(pages.filter(({ host }) => host.endsWith('site.example')))).toBe(2)
    expect(mostPages(pages)).toBeGreaterThan(2)
  })

  test('those at one address have one', async () => {
    await using server = await scriptedServer(slowly)
    await using fetcher = fetcherTo(server.port, {
      delayMs: 1,
      resolve: [],
      allowPrivate: true,
      lookup: async () => ['127.0.0.1'],
    })
    const urls = Array.from({ length: 12 }, (_, n) => `http://h${n % 6}.test:${server.port}/${n}`)
    const outcomes = await outcomesOf(fetcher, requestsFor(...urls))
    expect(outcomes.map(({ kind }) => kind)).toEqual(Array(12).fill('page'))
    expect(mostPages(server.pages())).toBe(1)
  })

  test('from the first request on: forty hosts with a slow robots.txt get two at once', async () => {
    await using server = await scriptedServer((request, response) => {
      setTimeout(() => smallSite()(request, response), 10)
    })
    const lookUps: string[] = []
    await using fetcher = fetcherTo(server.port, {
      delayMs: 1,
      resolve: [],
      allowPrivate: true,
      lookup: async (host) => {
        lookUps.push(host)
        return ['127.0.0.1']
      },
    })
    const urls = Array.from({ length: 40 }, (_, n) => `http://site${n}.test:${server.port}/`)
    const outcomes = await outcomesOf(fetcher, requestsFor(...urls))
    expect(outcomes.map(({ kind }) => kind)).toEqual(Array(40).fill('page'))
    expect(server.mostInFlight()).toBe(2)
    expect(lookUps).toHaveLength(40)
  })

  test('also when a name moves after it was looked up', async () => {
    await using server = await scriptedServer(slowly)
    const asked = new Map<string, number>()
    await using fetcher = fetcherTo(server.port, {
      delayMs: 1,
      resolve: [],
      allowPrivate: true,
      // Nobody answers at the address that comes first.
      lookup: async (host) => {
        asked.set(host, (asked.get(host) ?? 0) + 1)
        return [`127.9.9.${asked.size}`, '127.0.0.1']
      },
    })
    const urls = Array.from({ length: 12 }, (_, n) => `http://site${n}.test:${server.port}/`)
    const outcomes = await outcomesOf(fetcher, requestsFor(...urls))
    expect(outcomes.map(({ kind }) => kind)).toEqual(Array(12).fill('page'))
    expect(server.mostInFlight()).toBe(1)
  })

  test('names that are slow to look up hold up nobody else', async () => {
    await using server = await scriptedServer(smallSite())
    const { promise, resolve: found } = Promise.withResolvers<string[]>()
    await using fetcher = fetcherTo(server.port, {
      delayMs: 1,
      concurrency: 2,
      resolve: [],
      allowPrivate: true,
      lookup: (host) => (host.startsWith('slow') ? promise : Promise.resolve(['127.0.0.1'])),
    })
    const hosts = ['known.test', 'slow1.test', 'slow2.test']
    const first = requestsFor(`http://known.test:${server.port}/0`)
    await outcomesOf(fetcher, first)
    const urls = hosts.flatMap((host) => [1, 2, 3].map((n) => `http://${host}:${server.port}/${n}`))
    const kinds: string[] = []
    for await (const { kind, url } of answersTo(fetcher, requestsFor(...urls))) {
      kinds.push(`${new URL(url).hostname} ${kind}`)
      if (kinds.length === 3) found(['127.0.0.1'])
    }
    expect(kinds.slice(0, 3)).toEqual(Array(3).fill('known.test page'))
    expect(kinds).toHaveLength(9)
  })

  test('a proxy looks names up itself: we do not', async () => {
    await using proxy = await scriptedServer(slowly)
    await using fetcher = fetcherTo(proxy.port, {
      delayMs: 1,
      resolve: [],
      proxy: parseProxy(`http://127.0.0.1:${proxy.port}`),
      lookup: () => Promise.reject(new Error('nobody is to ask')),
    })
    const urls = Array.from({ length: 6 }, (_, n) => `http://site${n}.test/`)
    const outcomes = await outcomesOf(fetcher, requestsFor(...urls))
    expect(outcomes.map(({ kind }) => kind)).toEqual(Array(6).fill('page'))
  })

  test('but an address that --resolve names stands in for many, and is not spared', async () => {
    // Nobody gets a page before three are asked for: however busy the machine, they meet.
    const held: (() => void)[] = []
    const together: Respond = (request, response) => {
      const answer = () => smallSite()(request, response)
      if (request.url === '/robots.txt' || held.push(answer) > 3) answer()
      else if (held.length === 3) for (const one of held) one()
    }
    await using server = await scriptedServer(together)
    await using fetcher = fetcherTo(server.port, { delayMs: 1 })
    const urls = Array.from({ length: 12 }, (_, n) => `http://h${n % 6}.example/${n}`)
    await outcomesOf(fetcher, requestsFor(...urls))
    expect(mostPages(server.pages())).toBeGreaterThan(2)
  })
})

describe('a host in trouble', () => {
  /** Answers pages with these in turn, then well. */
  const inTurn =
    (answers: [status: number, headers?: Record<string, string>][]): Respond =>
    (request, response) => {
      if (request.url === '/robots.txt') {
        response.writeHead(404).end()
        return
      }
      const [status, headers] = answers.shift() ?? [200, {}]
      if (status === 200) smallSite()(request, response)
      else response.writeHead(status, headers).end()
    }
  const urls = (count: number) => Array.from({ length: count }, (_, n) => `http://a.example/${n}`)
  const gaps = (pages: { at: number }[]) =>
    pages.slice(1).map(({ at }, i) => (at - pages[i].at) / 1000)

  test('is left alone for as long as Retry-After says, and then goes on', async () => {
    await using server = await scriptedServer(inTurn([[429, { 'retry-after': '1' }]]))
    await using fetcher = fetcherTo(server.port)
    const outcomes = await outcomesOf(fetcher, requestsFor(...urls(3)))
    expect(outcomes).toMatchObject([
      { kind: 'failed', status: 429, retryAfterSeconds: 1 },
      { kind: 'page' },
      { kind: 'page' },
    ])
    expect(gaps(server.pages())[0]).toBeGreaterThanOrEqual(0.998)
  })

  test('is left alone for longer each time it says 503', async () => {
    await using server = await scriptedServer(inTurn([[503], [503], [503]]))
    await using fetcher = fetcherTo(server.port, { busySeconds: 0.05 })
    const outcomes = await outcomesOf(fetcher, requestsFor(...urls(5)))
    expect(outcomes.map(({ kind }) => kind)).toEqual(['failed', 'failed', 'failed', 'page', 'page'])
    const [first, second, third] = gaps(server.pages())
    expect(first).toBeGreaterThanOrEqual(0.048)
    expect(second).toBeGreaterThanOrEqual(0.098)
    expect(third).toBeGreaterThanOrEqual(0.198)
  })

  test('gets one probe after a row of failures, and recovers', async () => {
    await using server = await scriptedServer(inTurn(Array(7).fill([500])))
    await using fetcher = fetcherTo(server.port, { failingSeconds: 0.1 })
    const outcomes = await outcomesOf(fetcher, requestsFor(...urls(12)))
    expect(outcomes.filter(({ kind }) => kind === 'failed')).toHaveLength(7)
    expect(outcomes.filter(({ kind }) => kind === 'page')).toHaveLength(5)
    const pauses = gaps(server.pages())
    expect(pauses[5]).toBeGreaterThanOrEqual(0.098) // after the sixth failure
    expect(pauses[6]).toBeGreaterThanOrEqual(0.198) // after the probe that failed
    const { hostStates } = await fetcher.memory()
    expect(hostStates.filter(({ failures }) => failures > 0)).toEqual([])
  })

  test('is not waited for when its pause is long: one request is put off, and tells of the others', async () => {
    await using server = await scriptedServer(inTurn([[429, { 'retry-after': '3600' }]]))
    await using fetcher = fetcherTo(server.port)
    const outcomes = await outcomesOf(fetcher, requestsFor(...urls(3), 'http://b.example/'))
    expect(outcomes).toMatchObject([
      { kind: 'failed', sent: true },
      { kind: 'failed', reason: 'status 429', sent: false, retryAfterSeconds: 3600 },
      { kind: 'page' },
    ])
    expect(fetcher.inFlight()).toEqual([])
  })

  test('is remembered across a restart', async () => {
    await using server = await scriptedServer(inTurn([[503, { 'retry-after': '500' }]]))
    const before = fetcherTo(server.port)
    await outcomesOf(before, requestsFor(...urls(1)))
    const { hostStates } = JSON.parse(JSON.stringify(await before.memory()))
    await before.close()
    let now = 1_100
    await using after = fetcherTo(server.port, {
      hostStates,
      clock: { now: () => now },
    })
    const [outcome] = await outcomesOf(after, requestsFor(...urls(1)))
    expect(outcome).toMatchObject({ kind: 'failed', reason: 'status 503', sent: false })
    expect(server.pages()).toHaveLength(1)
    now = 2_000
    expect((await outcomesOf(after, requestsFor(...urls(1))))[0].kind).toBe('page')
  })
})
