import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { forager } from './forager-process.ts'
import { html, startScriptedSite } from './scripted-site.ts'

const PAGE = `<html lang="de"><title>Gute\u001b[31m Seite</title>
<link rel="canonical" href="http://a.test/new"><link rel="alternate" type="application/rss+xml" href="/feed">
<meta name="robots" content="nosnippet">
<p>Words and more words. <a href="/x" rel="nofollow">an x</a> <a href="/y">y</a>`

const startSite = () =>
  startScriptedSite({
    '/robots.txt': (_, response) =>
      response
        .writeHead(200, { 'content-type': 'text/plain' })
        .end('User-agent: *\nDisallow: /secret\nAllow: /n\nCrawl-delay: 0.01\n'),
    '/old': (_, response) => response.writeHead(301, { location: '/new?utm_source=x' }).end(),
    '/new': (_, response) =>
      response
        .writeHead(200, {
          'content-type': 'text/html; charset=utf-8',
          'content-encoding': 'gzip',
          etag: '"v1"',
        })
        .end(gzipSync(PAGE)),
    '/to-secret': (_, response) => response.writeHead(302, { location: '/secret' }).end(),
    '/loop': (_, response) => response.writeHead(302, { location: '/loop' }).end(),
    '/nowhere': html('<title>x</title>', { 'x-robots-tag': 'noindex, nofollow' }),
    '/busy': (_, response) => response.writeHead(503, { 'retry-after': '120' }).end(),
    '/image': (_, response) => response.writeHead(200, { 'content-type': 'image/png' }).end('x'),
  })

async function fetched(resolve: string, url: string, ...more: string[]) {
  const args = ['--resolve', resolve, '--delay', '0', '--json', ...more]
  const { code, stdout, stderr } = await forager('fetch', url, ...args)
  return { code, stderr, report: stdout === '' ? undefined : JSON.parse(stdout) }
}

test('a server that asks to be left alone is shown with how long it wants', async () => {
  using site = await startSite()
  const { code, report } = await fetched(site.resolve, 'http://a.test/busy')
  expect(code).toBe(1)
  expect(report.steps).toMatchObject([{ outcome: 'failed', status: 503, retryAfterSeconds: 120 }])
  expect(report.verdict).toMatch(/tried again later, as it asks to be left alone for 2 min/)
  const args = ['--resolve', site.resolve, '--delay', '0']
  const { stdout } = await forager('fetch', 'http://a.test/busy', ...args)
  expect(stdout).toMatch(/503, failed \(status 503\), Retry-After 120 s/)
})

test('a host that does not answer asked for nothing: how long it rests is our choice', async () => {
  const { port, ...gone } = await startSite()
  gone[Symbol.dispose]()
  const args = ['--resolve', `*=127.0.0.1:${port}`, '--delay', '0']
  const { code, stdout } = await forager('fetch', 'http://a.test/', ...args)
  expect(code).toBe(1)
  expect(stdout).toMatch(/tried again later, it would be left alone for 10 min 0 s/)
  expect(stdout).not.toMatch(/Retry-After|as it asks/)
})

test('every hop is shown with its own verdict, then all the page has to say; nothing is asked twice', async () => {
  using site = await startSite()
  const { code, report, stderr } = await fetched(site.resolve, 'http://A.test:80/old#top')
  expect(code, stderr).toBe(0)
  expect(site.asked.map(({ url }) => url)).toEqual([
    'http://a.test/robots.txt',
    'http://a.test/old',
    'http://a.test/new',
  ])
  expect(report).toMatchObject({ asked: 'http://A.test:80/old#top', url: 'http://a.test/old' })
  const allowed = { source: 'file', allowed: true, group: '*', crawlDelaySeconds: 0.01 }
  expect(report.steps).toMatchObject([
    { url: 'http://a.test/old', robots: allowed, outcome: 'redirect', status: 301 },
    {
      url: 'http://a.test/new',
      robots: { ...allowed, rule: 'Allow: /n' },
      outcome: 'page',
      status: 200,
      received: {
        address: '127.0.0.1',
        contentType: 'text/html; charset=utf-8',
        encoding: 'gzip',
        wireBytes: gzipSync(PAGE).length,
        decodedBytes: PAGE.length,
      },
      timing: { firstByteMs: expect.any(Number), bodyMs: expect.any(Number) },
    },
  ])
  expect(report.steps[0].robotsTiming.connectMs).toBeGreaterThan(0)
  expect(report.page).toMatchObject({
    form: 'page',
    language: 'de',
    charset: 'utf-8',
    canonical: 'http://a.test/new',
    directives: ['nosnippet'],
    etag: '"v1"',
    linkCount: 2,
    links: [
      { url: 'http://a.test/x', anchor: 'an x', nofollow: true },
      { url: 'http://a.test/y', anchor: 'y', nofollow: false },
    ],
    hubs: expect.arrayContaining(['http://a.test/feed']),
    softError: false,
  })
  expect(report.page.contentHash).toMatch(/^[0-9a-f]{64}$/)
  expect(report.verdict).toMatch(/^kept; its 2 links are followed/)
})

test('a redirect into what robots.txt forbids ends there, unsent', async () => {
  using site = await startSite()
  const { code, report } = await fetched(site.resolve, 'http://a.test/to-secret')
  expect(code).toBe(1)
  expect(report.steps.at(-1)).toMatchObject({
    url: 'http://a.test/secret',
    outcome: 'disallowed',
    robots: { allowed: false, rule: 'Disallow: /secret' },
  })
  expect(site.asked.some(({ url }) => url.endsWith('/secret'))).toBe(false)
  expect(report.verdict).toMatch(/robots\.txt forbids it \(Disallow: \/secret\): not fetched/)
})

test.each([
  ['a loop of redirects', '/loop', 1, /it redirects to http:\/\/a\.test\/loop/],
  ['what is gone', '/gone', 1, /it is gone/],
  ['an image', '/image', 1, /nothing we can read \(type image\/png\)/],
  [
    'noindex by header',
    '/nowhere',
    0,
    /not shown in results \(noindex\); .*not followed \(nofollow\)/,
  ],
])('%s gets its own sentence and exit code', async (_, path, exitCode, verdict) => {
  using site = await startSite()
  const { code, report } = await fetched(site.resolve, `http://a.test${path}`)
  expect(code).toBe(exitCode)
  expect(report.verdict).toMatch(verdict)
})

test('scope and traps are judged as a crawl would judge them', async () => {
  using site = await startSite()
  const { report } = await fetched(site.resolve, 'http://a.test/old', '--exclude', '*/new*')
  expect(report.steps.length).toBe(1)
  const left = await fetched(site.resolve, 'http://a.test/new', '--exclude', '*/new*')
  expect(left.report.steps[0].outOfScope).toBe('excluded')
  expect(left.report.verdict).toBe('a crawl would not fetch it: excluded')
  const trap = await fetched(site.resolve, 'http://a.test/n/n/n/n/n/n')
  expect(trap.report.steps[0].trapSign).toMatch(/"n" stands/)
})

test('a private address is refused by name, unless it is allowed', async () => {
  using site = await startSite()
  const url = `http://127.0.0.1:${site.port}/new`
  const args = ['fetch', url, '--contact', 'me@example.org', '--delay', '0', '--json']
  const refused = await forager(...args)
  expect(refused.code).toBe(1)
  expect(JSON.parse(refused.stdout).verdict).toMatch(
    /is not asked \(loopback address .*--allow-private/,
  )
  expect(site.asked).toEqual([])
  expect((await forager(...args, '--allow-private')).code).toBe(0)
  expect(site.asked.at(-1)?.headers).toMatchObject({
    'user-agent': expect.stringMatching(/^Forager\/[\d.]+ \(\+me@example\.org\)$/),
    from: 'me@example.org',
  })
})

test('people get plain text, whatever the title tries', async () => {
  using site = await startSite()
  const { stdout } = await forager('fetch', 'http://a.test/new', '--resolve', site.resolve)
  expect(stdout).toMatch(/title +Gute \[31m Seite\n/)
  expect(stdout).toMatch(/robots\.txt +allowed by "Allow: \/n" \(group "\*"\)/)
  expect(stdout).toMatch(/so +kept; its 2 links/)
  expect(stdout).not.toContain('\u001b')
})

test('without a contact nothing is asked of the real web', async () => {
  const { code, stderr } = await forager('fetch', 'https://example.org/')
  expect(code).toBe(2)
  expect(stderr).toMatch(/^forager: live crawls must say whom to write to: add --contact/)
})
