import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openSearchService } from '#library/search/search-service.ts'
import { addToCrawl, searchableCrawl } from '#library/search/searchable-crawl.test-kit.ts'
import { DamagedFileError } from '#repository/damage.ts'
import { MAX_QUERY_CHARS } from './search-api.ts'
import { ResultLinks } from './search-links.ts'
import { QueryLog, queryLogFolder } from './search-log.ts'
import { searchRoutes } from './search-routes.ts'
import { startSearchServer } from './search-server.ts'

const pages = Array.from({ length: 25 }, (_, i) => ({
  url: `https://a.example/${i}`,
  title: `Apple number ${i}`,
  text: `All about apples, part ${i}. <script>alert(1)</script>`,
}))
const dir = searchableCrawl([
  ...pages,
  { url: 'javascript:alert(1)', title: 'Sly cherry', text: 'cherry' },
])
const service = openSearchService(dir)
const queries = new QueryLog(queryLogFolder(dir), Date.now, (error) => {
  throw error
})
const log = { queries, links: ResultLinks.of(queryLogFolder(dir)) }
const errors: unknown[] = []
const start = (change: object = {}, perSecond = 0) =>
  startSearchServer({
    site: { service, log, now: Date.now, ...change },
    port: 0,
    host: '127.0.0.1',
    perSecond,
    onError: (error) => errors.push(error),
  })
let server: Awaited<ReturnType<typeof start>>
beforeAll(async () => {
  server = await start()
})
afterAll(async () => {
  await server.close()
  service.close()
  rmSync(dir, { recursive: true, force: true })
})

const ask = (path: string, headers: Record<string, string> = {}, method = 'GET', at = server) =>
  fetch(`http://127.0.0.1:${at.port}${path}`, { method, headers, redirect: 'manual' })

const jsonOf = async (path: string, at = server) =>
  JSON.parse(await (await ask(path, {}, 'GET', at)).text())

/** By hand, as `fetch` sets some headers itself. */
const statusOf = (options: { path?: string; method?: string; headers?: object }, body?: string) =>
  new Promise<number | undefined>((resolve, reject) => {
    const { path = '/', method = 'GET', headers = {} } = options
    request(
      { host: '127.0.0.1', port: server.port, path, method, headers: { ...headers } },
      (answer) => {
        answer.resume()
        resolve(answer.statusCode)
      },
    )
      .on('error', reject)
      .end(body)
  })

const logged = () =>
  readdirSync(queryLogFolder(dir))
    .filter((name) => name.endsWith('.jsonl'))
    .sort()
    .flatMap((name) =>
      readFileSync(join(queryLogFolder(dir), name), 'utf8')
        .trimEnd()
        .split('\n'),
    )
    .map((line) => JSON.parse(line))

describe('people', () => {
  test('find, page on, and are led to what they choose; the choice is in the log', async () => {
    const answer = await ask('/search?q=apple')
    expect(answer.status).toBe(200)
    const cookie = answer.headers.get('set-cookie')!
    expect(cookie).toMatch(/^forager_client=[0-9a-f-]{36}; Path=\/; .*HttpOnly; SameSite=Lax$/)
    const page = await answer.text()
    expect(page).toContain('25 results')
    expect(page).toContain(`maxlength="${MAX_QUERY_CHARS}"`)
    const href = /href="(\/go\?[^"]+)"/.exec(page)![1].replaceAll('&amp;', '&')
    const client = cookie.split(';')[0]
    const led = await ask(href, { cookie: client })
    expect(led.status).toBe(302)
    const target = led.headers.get('location')!
    expect(target).toMatch(/^https:\/\/a\.example\/\d+$/)

    const next = await (await ask('/search?q=apple&page=3', { cookie: client })).text()
    expect(next).toContain('Page 3 of 25 results')
    expect(next.match(/<li>\n/g)?.length).toBe(5)

    const [asked, chosen] = logged().slice(-2)
    expect(asked).toMatchObject({ user_query: 'apple', application: 'search-page' })
    expect(asked.query_response_hit_ids[0]).toBe(target)
    expect(chosen).toMatchObject({
      action_name: 'click',
      query_id: asked.query_id,
      client_id: asked.client_id,
      event_attributes: { object: { object_id: target }, position: { ordinal: 1 } },
    })
  })

  test('cannot be led where no result list leads', async () => {
    const links = log.links
    const sly = links.pathOf({ url: 'javascript:alert(1)', queryId: 'x', rank: 1 })
    for (const path of ['/go', '/go?u=https://evil.example/&q=x&n=1&s=AAAA', sly]) {
      const answer = await ask(path)
      expect(answer.status).toBe(403)
      expect(answer.headers.get('location')).toBeNull()
    }
    expect(await (await ask('/search?q=cherry')).text()).not.toMatch(/href="(javascript|\/go)/)
  })

  test('get a page for every mistake', async () => {
    for (const [path, status, words] of [
      ['/nothing', 404, 'no such page'],
      ['/constructor', 404, 'no such page'],
      ['/../../etc/passwd', 404, 'no such page'],
      [`/search?q=${'x'.repeat(501)}`, 400, 'at most 500'],
      ['/search?q=a&page=0', 400, 'from 1 to 100'],
      [`/${'x'.repeat(8001)}`, 414, 'too long'],
    ] as const) {
      const answer = await ask(path)
      expect(answer.status).toBe(status)
      expect(answer.headers.get('content-type')).toMatch(/^text\/html/)
      expect(await answer.text()).toContain(words)
    }
    expect(await (await ask('/search?q=%20')).text()).toContain('26 pages to search')
    expect(await (await ask('/search?q=zzz')).text()).toContain('Nothing found for “zzz”')
  })

  test('are told when something broke, and so is whoever runs the server', async () => {
    const broken = await start({
      service: {
        pages: 1,
        search: () => {
          throw new Error('torn page')
        },
      },
    })
    expect((await ask('/search?q=a', {}, 'GET', broken)).status).toBe(500)
    const api = await ask('/api/search?q=a', {}, 'GET', broken)
    expect(await api.json()).toEqual({ error: expect.stringContaining('broke') })
    expect(errors.map(String)).toEqual(['Error: torn page', 'Error: torn page'])
    await broken.close()
  })
})

test('a damaged index is said to be damaged, not to know nothing', async () => {
  const damaged = await start({
    service: {
      pages: 1,
      search: () => {
        throw new DamagedFileError('index/pages.bin', 'the group at byte 0', 'mycrawl')
      },
    },
  })
  const api = await ask('/api/search?q=a', {}, 'GET', damaged)
  expect(api.status).toBe(503)
  expect(await api.json()).toEqual({ error: expect.stringContaining('damaged') })
  expect(String(errors.at(-1))).toMatch('index/pages.bin is damaged')
  await damaged.close()
})

describe('the log', () => {
  test('knows nothing of prefetches, of other sites that make a browser ask, or of HEAD', async () => {
    const before = logged().length
    for (const headers of [{ 'sec-purpose': 'prefetch' }, { 'sec-fetch-site': 'cross-site' }]) {
      const answer = await ask('/search?q=apple', headers as unknown as Record<string, string>)
      expect(answer.headers.get('set-cookie')).toBeNull()
      expect(await answer.text()).toContain('href="https://a.example/')
    }
    await ask('/search?q=apple', {}, 'HEAD')
    expect(logged().length).toBe(before)
  })

  test('holds neither address nor browser', async () => {
    await ask('/search?q=apple', { 'user-agent': 'Tell-Tale/1.0', 'x-forwarded-for': '1.2.3.4' })
    expect(JSON.stringify(logged())).not.toMatch(/Tell-Tale|1\.2\.3\.4|127\.0\.0\.1/)
  })

  test('does not hold questions that tell who asked', async () => {
    const before = logged().length
    for (const q of ['mail jane.doe@example.org', 'card 4111 1111 1111 1111']) {
      const answer = await ask(`/search?${new URLSearchParams({ q })}`)
      expect(answer.headers.get('set-cookie')).toBeNull()
      expect(await answer.text()).not.toContain('has been noted')
      expect(await jsonOf(`/api/search?${new URLSearchParams({ q })}`)).not.toHaveProperty(
        'queryId',
      )
    }
    expect(logged().length).toBe(before)
  })

  test('takes no id but one of ours', async () => {
    const answer = await ask('/search?q=apple', { cookie: 'forager_client=me@example.org' })
    expect(answer.headers.get('set-cookie')).toMatch(/^forager_client=[0-9a-f-]{36};/)
  })

  test('can be switched off: no cookie, no file, and links lead straight to the results', async () => {
    const quiet = await start({ log: undefined })
    const before = logged().length
    const answer = await ask('/search?q=apple', {}, 'GET', quiet)
    expect(answer.headers.get('set-cookie')).toBeNull()
    const page = await answer.text()
    expect(page).toContain('href="https://a.example/')
    expect(page).toContain('Searches are not kept')
    const api = await jsonOf('/api/search?q=apple', quiet)
    expect(api).not.toHaveProperty('queryId')
    expect(api.results[0]).not.toHaveProperty('clickPath')
    expect((await ask('/go', {}, 'GET', quiet)).status).toBe(403)
    expect(logged().length).toBe(before)
    await quiet.close()
  })
})

describe('guards', () => {
  test('every answer carries the security headers, and no page needs what they forbid', async () => {
    const paths = searchRoutes({ service, log, now: Date.now }).map(({ path }) => path)
    for (const path of [...paths, '/nothing', '/search?q=apple']) {
      const { headers } = await ask(path)
      const policy = headers.get('content-security-policy')
      expect(policy).toMatch(/default-src 'none'.*frame-ancestors 'none'/)
      expect(policy).not.toMatch(/unsafe/)
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('referrer-policy')).toBe('no-referrer')
      expect(headers.get('cross-origin-resource-policy')).toBe('same-origin')
    }
  })

  test('only GET and HEAD are answered, and no body is taken', async () => {
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS'])
      expect(await statusOf({ method }), method).toBe(405)
    expect(await statusOf({ headers: { 'content-length': '3' } }, 'abc')).toBe(413)
    expect(await statusOf({ headers: { 'transfer-encoding': 'chunked' } }, 'abc')).toBe(413)
  })

  test('a name that somebody pointed at this machine is not answered', async () => {
    expect(await statusOf({ headers: { host: 'evil.example' } })).toBe(421)
    for (const host of ['localhost', `127.0.0.1:${server.port}`, '[::1]:80', 'LOCALHOST:9'])
      expect(await statusOf({ headers: { host } }), host).toBe(200)
  })

  test('huge headers and nonsense end the connection, not the server', async () => {
    const send = (text: string) =>
      new Promise<string>((resolve) => {
        let answer = ''
        const socket = connect(server.port, '127.0.0.1', () => socket.end(text))
        socket.on('data', (data) => {
          answer += data
        })
        socket.on('error', () => {})
        socket.on('close', () => resolve(answer))
      })
    expect(await send(`GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`)).toMatch(
      / 431 /,
    )
    expect(await send('\x00\x01 nonsense\r\n\r\n')).toMatch(/ 400 /)
    expect((await ask('/health')).status).toBe(200)
  })

  test('who asks too often is told when to come back', async () => {
    const slow = await start({}, 0.001)
    expect((await ask('/', {}, 'GET', slow)).status).toBe(200)
    const refused = await ask('/', {}, 'GET', slow)
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(900)
    expect((await jsonOf('/api/search?q=a', slow)).error).toMatch(/too fast/)
    await slow.close()
  })

  test('a taken port is a clear mistake', async () => {
    const again = startSearchServer({
      site: { service, now: Date.now },
      port: server.port,
      host: '127.0.0.1',
      perSecond: 0,
      onError: () => {},
    })
    await expect(again).rejects.toThrow(/--port \d+ .*EADDRINUSE.*choose another/)
    const elsewhere = startSearchServer({
      site: { service, now: Date.now },
      port: 0,
      host: '203.0.113.1',
      perSecond: 0,
      onError: () => {},
    })
    await expect(elsewhere).rejects.toThrow(/--host 203\.0\.113\.1 .*address of this machine/)
  })

  test('nothing in the directory can be fetched', async () => {
    for (const path of ['/index/manifest.json', '/queries/link-key', '/..%2findex%2fmanifest.json'])
      expect((await ask(path)).status).toBe(404)
    expect(existsSync(join(dir, 'index', 'manifest.json'))).toBe(true)
  })
})

test('pages that a crawl adds are found without a restart', async () => {
  const total = async () => (await jsonOf('/api/search?q=banana')).total
  expect(await total()).toBe(0)
  addToCrawl(dir, [{ url: 'https://b.example/', title: 'Banana', text: 'Yellow.' }])
  expect(await total()).toBe(1)
})
