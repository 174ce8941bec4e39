import { describe, expect, test } from 'vitest'
import { archiveOf } from '#archive/format/assemble-archive.ts'
import { smallArchive } from '#archive/format/small-archive.test-kit.ts'
import { RecordedWeb } from '#archive/recorded-web.ts'
import { replaySitemap } from '#archive/replay-sitemap.ts'
import { type ReplayRequest, replayAnswer, replaySnapshot } from './replay.ts'

const archive = archiveOf(
  smallArchive(
    3,
    {
      'https://a.example/': [{ live: [0, 2], title: 'Home', text: ['1 < 2 & "3"'] }],
      'https://a.example/old': [{ live: [0, 0], title: 'Old' }],
      'https://a.example/moved': [{ live: [0, 2], redirect: 'https://b.example/new?x=1&y=2' }],
      'https://a.example/q?x=1&y=2': [{ live: [1, 2], title: 'Query' }],
      'http://b.example/': [{ live: [0, 2], title: 'B in http' }],
      'https://b.example/': [{ live: [0, 2], title: 'B in https' }],
    },
    { robots: { 'a.example': 'User-agent: *\nDisallow: /secret\n' } },
  ),
)
const web = new RecordedWeb(archive, 1)
const ask = (host: string, path: string, more: Partial<ReplayRequest> = {}) =>
  replayAnswer({ method: 'GET', host, path, headers: {}, ...more }, web)

describe('a replayed web', () => {
  test('serves its pages, escaped, with validators', () => {
    const { status, headers, body } = ask('a.example', '/')
    expect(status).toBe(200)
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    expect(headers.etag).toMatch(/^"[^"\s]+"$/)
    expect(headers['last-modified']).toBe('Mon, 01 Jan 2024 00:00:00 GMT')
    expect(body).toContain('<p>1 &lt; 2 &amp; &quot;3&quot;</p>')
  })

  test('knows redirects, pages that are gone, and pages that never were', () => {
    expect(ask('a.example', '/moved')).toMatchObject({
      status: 301,
      headers: { location: 'https://b.example/new?x=1&y=2' },
    })
    expect(ask('a.example', '/old').status).toBe(410)
    expect(ask('a.example', '/never').status).toBe(404)
  })

  test('tells the schemes of a host apart when the client says which it means', () => {
    const inScheme = (scheme: string) =>
      ask('b.example', '/', { headers: { 'x-forwarded-proto': scheme } }).body
    expect(inScheme('http')).toContain('B in http<')
    expect(inScheme('https')).toContain('B in https<')
    expect(ask('b.example', '/').body).toContain('B in https<')
    expect(ask('a.example', '/', { headers: { 'x-forwarded-proto': 'http' } }).status).toBe(404)
  })

  test('answers an unknown host with 404 and the hosts it has', () => {
    expect(ask('c.example', '/')).toMatchObject({
      status: 404,
      body: expect.stringContaining('a.example\nb.example'),
    })
    expect(ask('c.example', '/robots.txt').status).toBe(404)
  })

  test.each([
    ['', '/'],
    ['a.example/x', '/'],
    ['u@a.example', '/'],
    ['a.example', 'no-slash'],
    ['a b', '/'],
  ])('refuses host %j with path %j', (host, path) => {
    expect(ask(host, path).status).toBe(400)
  })

  test('can only be read', () => {
    expect(ask('a.example', '/', { method: 'POST' })).toMatchObject({
      status: 405,
      headers: { allow: 'GET, HEAD' },
    })
    expect(ask('a.example', '/', { method: 'HEAD' }).status).toBe(200)
  })
})

describe('a page that has not changed', () => {
  const { etag } = ask('a.example', '/').headers
  const since = (date: string) => ({ 'if-modified-since': date })
  test.each([
    [{ 'if-none-match': etag }, 304],
    [{ 'if-none-match': `W/${etag}` }, 304],
    [{ 'if-none-match': `"other", ${etag}` }, 304],
    [{ 'if-none-match': '*' }, 304],
    [{ 'if-none-match': '"other"' }, 200],
    [since('Mon, 01 Jan 2024 00:00:00 GMT'), 304],
    [since('Tue, 02 Jan 2024 00:00:00 GMT'), 304],
    [since('Sun, 31 Dec 2023 00:00:00 GMT'), 200],
    [since('some day'), 200],
    [{ 'if-none-match': '"other"', ...since('Tue, 02 Jan 2024 00:00:00 GMT') }, 200],
  ])('asked with %j answers %i', (headers, status) => {
    expect(ask('a.example', '/', { headers }).status).toBe(status)
  })
})

describe('what a site has besides its pages', () => {
  test('robots.txt is the recorded one, with a line for the sitemap', () => {
    expect(ask('a.example', '/robots.txt').body).toBe(
      'User-agent: *\nDisallow: /secret\n\nSitemap: https://a.example/sitemap.xml\n',
    )
  })

  test('a host without a recorded robots.txt allows everything', () => {
    expect(ask('b.example', '/robots.txt').body).toMatch(/^User-agent: \*\nDisallow:\n/)
  })

  test('sitemaps of the time of recording give way to the one that is here', () => {
    const robots = {
      'a.example': 'Sitemap: https://a.example/old.xml\nUser-agent: *\nDisallow: /x',
    }
    const pages = { 'https://a.example/': [{ live: [0, 0] as const }] }
    const honest = new RecordedWeb(archiveOf(smallArchive(1, pages, { robots })), 0)
    const bare = new RecordedWeb(honest.archive, 0, { sitemaps: 'none' })
    const request = { method: 'GET', host: 'a.example', headers: {} }
    const robotsOf = (web: RecordedWeb) =>
      replayAnswer({ ...request, path: '/robots.txt' }, web).body
    expect(robotsOf(honest)).toBe(
      'User-agent: *\nDisallow: /x\n\nSitemap: https://a.example/sitemap.xml\n',
    )
    expect(robotsOf(bare)).toBe('User-agent: *\nDisallow: /x\n')
    expect(replayAnswer({ ...request, path: '/sitemap.xml' }, bare).status).toBe(404)
  })

  test('the sitemap lists what is live, escaped, with the date it changed', () => {
    const { body, headers } = ask('a.example', '/sitemap.xml')
    expect(headers['content-type']).toBe('application/xml')
    expect(body.match(/<url>.*<\/url>/g)).toEqual([
      '<url><loc>https://a.example/</loc><lastmod>2024-01-01</lastmod></url>',
      '<url><loc>https://a.example/q?x=1&amp;y=2</loc><lastmod>2024-01-08</lastmod></url>',
    ])
  })

  test('a sitemap too long for one file is an index of parts', () => {
    const part = (path: string) => replaySitemap(web, 'https://a.example', 'a.example', path, 1)
    expect(part('/sitemap.xml')).toContain('<loc>https://a.example/sitemap-2.xml</loc>')
    expect(part('/sitemap-2.xml')).toContain('/q?x=1')
    expect(part('/sitemap-2.xml')).not.toContain('<loc>https://a.example/</loc>')
    expect(part('/sitemap-3.xml')).toBeUndefined()
    expect(ask('a.example', '/sitemap-1.xml').status).toBe(404)
  })
})

test('time goes at the pace that was set, and ends with the recording', () => {
  const at = (elapsedMs: number, speed = 2) =>
    replaySnapshot({ from: 1, speed, snapshotCount: 5 }, elapsedMs)
  expect([0, 29_999, 30_000, 60_000, 1e9].map((ms) => at(ms))).toEqual([1, 1, 2, 3, 4])
  expect(at(1e9, 0)).toBe(1)
})
