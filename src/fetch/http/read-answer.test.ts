import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { REL_ALTERNATE, REL_HUB } from '#parse/page/page.ts'
import type { Headers, HttpAnswer } from './http-get.ts'
import { mayBePage, type ReadOptions, readAnswer, readFailure } from './read-answer.ts'

const HTML = { 'content-type': 'text/html' }
const PAGE = '<title>A page</title><p>Words <a href="/next">onward</a>'
const SITEMAP =
  '<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>http://a.example/found</loc></url></urlset>'
const RSS =
  '<rss version="2.0"><channel><title>News</title><item><link>http://a.example/news</link></item></channel></rss>'
const JSON_FEED = JSON.stringify({
  version: 'https://jsonfeed.org/version/1.1',
  title: 'News',
  items: [{ id: '1', url: 'http://a.example/news' }],
})

interface Case {
  readonly url?: string
  readonly status?: number
  readonly headers?: Headers
  readonly body?: string | Uint8Array
  readonly answer?: Partial<HttpAnswer>
  readonly options?: Partial<ReadOptions>
}

function read({
  url = 'http://a.example/',
  status = 200,
  headers = HTML,
  body = PAGE,
  ...more
}: Case) {
  const bytes = Buffer.from(body)
  return readAnswer(
    { id: 1, url, at: 1_000, ms: 5 },
    {
      kind: 'answer',
      status,
      headers,
      body: bytes,
      bytes: bytes.length,
      truncated: false,
      ...more.answer,
    },
    { agentToken: 'Forager', maxBodyBytes: 100_000, ...more.options },
  )
}

describe('what headers add to a page', () => {
  test('X-Robots-Tag asks for all that a meta element can, of us or of everybody', () => {
    const tags = ['noindex, noarchive', 'otherbot: nofollow', 'forager: nosnippet']
    const until = 'unavailable_after: 25 Jun 2030 15:00:00 GMT'
    expect(read({ headers: { ...HTML, 'x-robots-tag': [...tags, until] } })).toMatchObject({
      page: {
        noindex: true,
        nofollow: false,
        noarchive: true,
        nosnippet: true,
        unavailableAfter: Date.UTC(2030, 5, 25, 15) / 1000,
      },
    })
  })

  test('a page may ask it of us by the name we go by', () => {
    const body = '<meta name="newsbot" content="noindex"><meta name="forager" content="nofollow">'
    expect(read({ body, options: { agentToken: 'NewsBot' } })).toMatchObject({
      page: { noindex: true, nofollow: false },
    })
  })

  test('what they ask for is content: it counts also when the page is as it was', () => {
    const hashOf = (headers: Headers) => {
      const outcome = read({ headers: { ...HTML, ...headers } })
      return outcome.kind === 'page' && outcome.contentHash
    }
    const plain = hashOf({})
    expect(hashOf({ 'x-robots-tag': 'otherbot: noindex', etag: '"2"' })).toBe(plain)
    expect(hashOf({ 'x-robots-tag': 'noindex' })).not.toBe(plain)
    const until = (day: number) => `unavailable_after: ${day} Jun 2030 15:00:00 GMT`
    expect(hashOf({ 'x-robots-tag': until(25) })).not.toBe(hashOf({ 'x-robots-tag': until(26) }))
    expect(hashOf({ link: '</better>; rel="canonical"' })).not.toBe(plain)
  })

  test('a page that is to be unavailable by now is not to be shown', () => {
    const headers = { ...HTML, 'x-robots-tag': 'unavailable_after: 1 Jan 1970 00:10:00 GMT' }
    expect(read({ headers })).toMatchObject({ page: { noindex: true, unavailableAfter: 600 } })
  })

  test('what the page asks for itself stays asked for', () => {
    const body = '<meta name="robots" content="noindex">'
    const outcome = read({ headers: { ...HTML, 'x-robots-tag': 'nofollow' }, body })
    expect(outcome).toMatchObject({ page: { noindex: true, nofollow: true } })
  })

  test('Link names the canonical address, unless the page does so itself', () => {
    const headers = { ...HTML, link: '</better>; rel="canonical"' }
    expect(read({ headers })).toMatchObject({ page: { canonical: 'http://a.example/better' } })
    const body = '<link rel="canonical" href="/own">'
    expect(read({ headers, body })).toMatchObject({ page: { canonical: 'http://a.example/own' } })
  })

  test('Link brings other languages, feeds and sitemaps beside the page', () => {
    const link = [
      '</de>; rel="alternate"; hreflang="de", </feed>; rel=alternate; type="application/rss+xml"',
      '</sitemap.xml>; rel=sitemap, </style.css>; rel=stylesheet',
    ]
    expect(read({ headers: { ...HTML, link } })).toMatchObject({
      found: [
        { url: 'http://a.example/de', rel: REL_ALTERNATE },
        { url: 'http://a.example/feed', rel: REL_HUB },
        { url: 'http://a.example/sitemap.xml', rel: REL_HUB },
      ],
    })
  })

  test('Link brings nothing from a page whose links are not to be followed', () => {
    const headers = { ...HTML, link: '</feed>; rel=next', 'x-robots-tag': 'nofollow' }
    expect(read({ headers })).not.toHaveProperty('found')
  })

  test('an ETag or date as long as a header may be is not kept with the page', () => {
    const long = 'a'.repeat(60_000)
    const one = read({ headers: { ...HTML, etag: '"2"', 'last-modified': long } })
    expect(one).toMatchObject({ etag: '"2"' })
    expect(one).not.toHaveProperty('lastModified')
    const told = JSON.stringify(read({ headers: { ...HTML, etag: long, 'last-modified': long } }))
    expect(told.length).toBeLessThan(1_000)
  })

  test('Content-Usage is recorded word for word', () => {
    const headers = { ...HTML, 'content-usage': 'train-ai=n, search=y' }
    expect(read({ headers })).toMatchObject({ page: { contentUsage: 'train-ai=n, search=y' } })
  })

  test('Content-Usage that forbids search keeps a page out of it', () => {
    const headers = { ...HTML, 'content-usage': 'search=n' }
    expect(read({ headers })).toMatchObject({ page: { noindex: true } })
  })
})

describe('sitemaps and feeds', () => {
  test.each([
    ['application/xml', SITEMAP, 'sitemap'],
    ['text/xml; charset=utf-8', SITEMAP, 'sitemap'],
    ['text/html', SITEMAP, 'sitemap'],
    ['application/rss+xml', RSS, 'feed'],
    ['text/xml', RSS, 'feed'],
    ['application/feed+json', JSON_FEED, 'feed'],
  ])('%s is read', (type, body, form) => {
    const headers = { 'content-type': type }
    expect(mayBePage(200, headers, new URL('http://a.example/x'))).toBe(true)
    const outcome = read({ headers, body })
    expect(outcome).toMatchObject({ kind: 'page', page: { form } })
    expect(outcome.kind === 'page' && outcome.page.links).toHaveLength(1)
  })

  test.each(['application/gzip', 'application/x-gzip', 'application/octet-stream'])(
    'a packed sitemap of type %s is unpacked if its name says what it is',
    (type) => {
      const headers = { 'content-type': type }
      const url = 'http://a.example/sitemap.xml.gz'
      expect(mayBePage(200, headers, new URL(url))).toBe(true)
      expect(read({ url, headers, body: gzipSync(SITEMAP) })).toMatchObject({
        page: { form: 'sitemap', links: [{ url: 'http://a.example/found' }] },
      })
      expect(mayBePage(200, headers, new URL('http://a.example/backup.tar.gz'))).toBe(false)
    },
  )

  test('a packed sitemap that also was packed for the way, or for neither, is read', () => {
    const url = 'http://a.example/sitemap.xml.gz'
    const gzip = { 'content-type': 'application/gzip' }
    const twice = gzipSync(gzipSync(SITEMAP))
    const sitemap = { page: { form: 'sitemap' } }
    expect(
      read({ url, headers: { ...gzip, 'content-encoding': 'gzip' }, body: twice }),
    ).toMatchObject(sitemap)
    expect(read({ url, headers: gzip, body: SITEMAP })).toMatchObject(sitemap)
  })

  test('a packed sitemap larger than its protocol allows is left', () => {
    const url = 'http://a.example/sitemap.xml.gz'
    const headers = { 'content-type': 'application/gzip' }
    const body = gzipSync(SITEMAP + ' '.repeat(50 * 1024 * 1024), { level: 1 })
    const options = { maxBodyBytes: 1_000_000 }
    expect(read({ url, headers, body, options })).toMatchObject({
      kind: 'unreadable',
      reason: 'body over 52428800 bytes',
    })
  })

  test('JSON is fetched only where a feed may be, and read only if it is one', () => {
    const headers = { 'content-type': 'application/json' }
    expect(mayBePage(200, headers, new URL('http://a.example/api'))).toBe(false)
    const url = 'http://a.example/feed.json'
    expect(mayBePage(200, headers, new URL(url))).toBe(true)
    expect(read({ url, headers, body: JSON_FEED })).toMatchObject({ page: { form: 'feed' } })
    expect(read({ url, headers, body: '{"a":1}' })).toMatchObject({ kind: 'unreadable' })
  })

  test('a packed sitemap may come under the type of what is in it', () => {
    const url = 'http://a.example/sitemap.xml.gz'
    const outcome = read({ url, headers: { 'content-type': 'text/xml' }, body: gzipSync(SITEMAP) })
    expect(outcome).toMatchObject({ page: { form: 'sitemap', links: [{}] } })
  })

  test('a sitemap may be longer than a page, and is read as far as it came', () => {
    const url = 'http://a.example/sitemap-1.xml'
    const headers = { 'content-type': 'application/xml' }
    const entries = Array.from({ length: 3000 }, (_, i) => `<url><loc>/page-${i}</loc></url>`)
    const body = `<urlset>${entries.join('')}</urlset>`
    const options = { maxBodyBytes: 1000 }
    expect(read({ url: `${url}.gz`, headers, body: gzipSync(body), options })).toMatchObject({
      page: { form: 'sitemap', links: { length: 3000 } },
    })
    const answer = { truncated: true }
    const cut = { cut: true, links: [{ url: 'http://a.example/page-0' }] }
    expect(read({ url, headers, body: body.slice(0, 50), answer })).toMatchObject({ page: cut })
    const packed = gzipSync(body.slice(0, 50)).subarray(0, -8)
    expect(read({ url: `${url}.gz`, headers, body: packed, answer })).toMatchObject({ page: cut })
  })

  test('a list of addresses in plain text loses the line in which it was cut off', () => {
    const headers = { 'content-type': 'text/plain' }
    const url = 'http://a.example/sitemap.txt'
    const body = 'http://a.example/one\nhttp://a.example/two\nhttp://a.example/thr'
    expect(read({ url, headers, body, answer: { truncated: true } })).toMatchObject({
      page: { form: 'sitemap', links: { length: 2 } },
    })
  })

  test('a page may not be longer for being called a list', () => {
    const headers = { 'content-type': 'application/xml', 'content-encoding': 'gzip' }
    const words = Array.from({ length: 999 }, (_, i) => `<p>again ${i}`)
    const body = gzipSync(`<html><title>X</title>${words.join('')}</html>`)
    const outcome = read({ headers, body, options: { maxBodyBytes: 1000 } })
    expect(outcome).toMatchObject({ kind: 'page', page: { title: 'X', cut: true } })
    expect(outcome.kind === 'page' && outcome.page.text.length).toBeLessThan(1000)
  })

  test('a file is no page, whatever it is called', () => {
    expect(read({ body: '%PDF-1.7 and so on' })).toMatchObject({
      kind: 'unreadable',
      reason: 'sent as text/html, but it is PDF',
    })
  })

  test('other XML is no page, but XHTML is', () => {
    const headers = { 'content-type': 'application/xml' }
    expect(read({ headers, body: '<invoice>1</invoice>' })).toMatchObject({
      kind: 'unreadable',
      reason: 'type application/xml, but neither sitemap nor feed',
    })
    const body =
      '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><title>X</title></html>'
    expect(read({ headers, body })).toMatchObject({
      kind: 'page',
      page: { form: 'page', title: 'X' },
    })
  })
})

describe('an answer that is no page', () => {
  test.each([
    [{ 'cf-mitigated': 'challenge' }, 403],
    [{ 'cf-mitigated': 'challenge' }, 503],
    [{ 'x-amzn-waf-action': 'captcha' }, 405],
    [{ 'x-amzn-waf-action': 'challenge' }, 202],
    [{ 'cf-mitigated': 'challenge', ...HTML }, 200],
    [{}, 402],
  ])('but a riddle or a bill is a denial (%j, status %i)', (headers, status) => {
    expect(mayBePage(status, headers, new URL('http://a.example/'))).toBe(false)
    expect(read({ headers, status })).toMatchObject({ kind: 'denied', status })
  })

  test.each([
    [{ 'accept-signature': 'sig1=("@authority")' }, 403, 'asks for a signature'],
    [{ 'www-authenticate': 'Basic realm="x"' }, 401, 'asks for a password'],
    [{ 'cf-mitigated': 'challenge', 'www-authenticate': 'Basic' }, 403, 'challenge'],
    [{}, 403, undefined],
  ])('but a denial tells what is asked for instead (%j)', (headers, status, reason) => {
    expect(read({ headers, status })).toHaveProperty('kind', 'denied')
    expect((read({ headers, status }) as { reason?: string }).reason).toBe(reason)
  })

  test('but asks to be left alone says for how long', () => {
    const answer = { retryAfterSeconds: 120 }
    expect(read({ status: 429, answer })).toMatchObject({ kind: 'failed', retryAfterSeconds: 120 })
    expect(read({ status: 503 })).not.toHaveProperty('retryAfterSeconds')
  })

  test.each([408, 425])('but says it is the wrong moment (%i) may be one later', (status) => {
    expect(read({ status })).toMatchObject({ kind: 'failed', status, sent: true })
  })

  test('304 means unchanged to who asked, and is a fault otherwise', () => {
    expect(read({ status: 304, options: { conditional: true } })).toMatchObject({
      kind: 'unchanged',
      status: 304,
    })
    expect(read({ status: 304 })).toMatchObject({ kind: 'failed' })
  })

  test('still carries the exchange, whatever it is', () => {
    const exchange = { requestHead: '', responseHead: '', body: new Uint8Array(), startedAt: 1 }
    const answer = { exchange }
    const redirect = { location: '/b' }
    for (const outcome of [
      read({ answer }),
      read({ answer, status: 404 }),
      read({ answer, status: 301, headers: redirect }),
      read({ answer, status: 500 }),
      read({ answer, status: 403 }),
      read({ answer, headers: { 'content-type': 'image/png' } }),
      read({ answer: { ...answer, truncated: true } }),
      read({
        answer,
        headers: { ...HTML, 'content-encoding': 'gzip' },
        body: gzipSync(PAGE).subarray(0, 30),
      }),
      read({ answer, status: 304, options: { conditional: true } }),
    ])
      expect(outcome.exchange, outcome.kind).toBe(exchange)
  })
})

test('the limit once unpacked may differ from that on the wire', () => {
  const headers = { ...HTML, 'content-encoding': 'zstd' }
  const body = zstdCompressSync(PAGE + ' '.repeat(5_000))
  expect(read({ headers, body, options: { maxDecodedBytes: 10_000 } })).toMatchObject({
    kind: 'page',
  })
  // One block of zstd is had as a whole or not at all.
  expect(read({ headers, body, options: { maxDecodedBytes: 1_000 } })).toMatchObject({
    kind: 'unreadable',
    reason: 'body over 1000 bytes',
  })
})

describe('a page longer than the limit', () => {
  const long = `<title>Long</title><p>first <a href="/a">link</a>\n${manyWords()}<p>last`

  function manyWords(): string {
    const words = Array.from({ length: 20_000 }, (_, i) => `<p>more ${(i * 7919) % 9973}\n`)
    return words.join('')
  }

  test.each([
    ['', Buffer.from(long)],
    ['gzip', gzipSync(long)],
    ['br', brotliCompressSync(long)],
    ['gzip, br', brotliCompressSync(gzipSync(long))],
  ])('is read as far as the limit goes, and says so (%s)', (encoding, body) => {
    const headers = { ...HTML, ...(encoding !== '' && { 'content-encoding': encoding }) }
    const outcome = read({ headers, body, options: { maxDecodedBytes: 100_000 } })
    expect(outcome).toMatchObject({
      kind: 'page',
      page: { title: 'Long', cut: true, links: [{ url: 'http://a.example/a' }] },
    })
    if (outcome.kind !== 'page') return
    expect(outcome.page.text).toMatch(/^first link\nmore/)
    expect(outcome.page.text).not.toMatch(/last$/)
    expect(outcome.page.text.length).toBeLessThanOrEqual(100_000)
  })

  test('is read as far as it came over the wire, packed or not', () => {
    const answer = { truncated: true }
    const gzip = { ...HTML, 'content-encoding': 'gzip' }
    const page = { title: 'Long', cut: true }
    expect(read({ body: long.slice(0, 900), answer })).toMatchObject({ page })
    const half = gzipSync(long).subarray(0, 300)
    expect(read({ headers: gzip, body: half, answer })).toMatchObject({ page })
    expect(read({ headers: gzip, body: half })).toMatchObject({ reason: 'body cut short' })
  })

  test('is whole if it just fits', () => {
    expect(read({ body: long, options: { maxDecodedBytes: long.length } })).not.toHaveProperty(
      'page.cut',
    )
  })
})

test('a target we do not go to is forbidden, and no failure', () => {
  const attempt = { id: 1, url: 'http://10.0.0.1/', at: 1, ms: 1 }
  const reason = 'private address 10.0.0.1'
  expect(readFailure(attempt, { kind: 'failure', reason, sent: false, forbidden: true })).toEqual({
    ...attempt,
    kind: 'forbidden',
    reason,
  })
})
