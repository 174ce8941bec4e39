import { describe, expect, test } from 'vitest'
import { archiveOf } from '#archive/format/assemble-archive.ts'
import { RecordedWeb } from '#archive/recorded-web.ts'
import { parseHtml } from '#parse/html/html.ts'
import type { WarcRecord } from '#repository/warc/read/warc-reader.ts'
import { type Capture, captureOf } from './capture.ts'
import { importedArchive } from './import-archive.ts'
import { ImportedWeb } from './imported-web.ts'

const DAY = 86_400
const MONDAY = Date.UTC(2026, 0, 5) / 1000
const HOME = 'https://a.example/'
const DEFAULTS = { id: 'x', name: 'X', stepDays: 7, start: [] as string[] }

function archiveFrom(captures: readonly Capture[], options: Partial<typeof DEFAULTS> = {}) {
  const web = new ImportedWeb()
  for (const capture of captures) web.add(capture)
  return archiveOf(importedArchive(web, { ...DEFAULTS, ...options }))
}

const page = (url: string, days: number, html: string, digest?: string): Capture => ({
  kind: 'page',
  url,
  at: MONDAY + days * DAY,
  page: parseHtml(html, url),
  digest,
})
const unchanged = (url: string, days: number, digest?: string): Capture => ({
  kind: 'unchanged',
  url,
  at: MONDAY + days * DAY,
  digest,
})
const gone = (url: string, days: number): Capture => ({
  kind: 'gone',
  url,
  at: MONDAY + days * DAY,
})

/** Title of the page, or what else is there, at each snapshot. */
function titlesOf(archive: ReturnType<typeof archiveFrom>, url: string): string[] {
  return Array.from({ length: archive.snapshotCount }, (_, snapshot) => {
    const answer = new RecordedWeb(archive, snapshot).answer(url)
    return answer.kind === 'page' ? answer.page.title : answer.kind
  })
}

describe('captures become snapshots', () => {
  test('of a week each, from the first capture to the last', () => {
    const archive = archiveFrom([
      page(HOME, 0.5, '<title>One'),
      page(HOME, 6.9, '<title>Two'),
      page(HOME, 15, '<title>Three'),
      page(`${HOME}late`, 8, '<title>Late'),
    ])
    expect(archive.site.snapshots).toEqual([
      { i: 0, date: '2026-01-05', live: 1 },
      { i: 1, date: '2026-01-12', live: 2 },
      { i: 2, date: '2026-01-19', live: 2 },
    ])
    expect(titlesOf(archive, HOME)).toEqual(['Two', 'Two', 'Three'])
    expect(titlesOf(archive, `${HOME}late`)).toEqual(['gone', 'Late', 'Late'])
  })

  test('of any length, and only one if all was fetched within it', () => {
    const captures = [page(HOME, 0, '<title>One'), page(`${HOME}2`, 20, '<title>Two')]
    expect(archiveFrom(captures, { stepDays: 30 }).snapshotCount).toBe(1)
    expect(archiveFrom(captures, { stepDays: 1 }).snapshotCount).toBe(21)
    expect(() => archiveFrom([...captures, page(HOME, 99_999, 'x')], { stepDays: 1 })).toThrow(
      /stepDays 1 makes 100000 snapshots .* choose a longer step/,
    )
  })

  test('in which a page is gone after a 404, and may come back', () => {
    const archive = archiveFrom([
      page(HOME, 0, '<title>Here'),
      gone(HOME, 7),
      page(HOME, 21, '<title>Here'),
      gone(`${HOME}never`, 0),
    ])
    expect(titlesOf(archive, HOME)).toEqual(['Here', 'gone', 'gone', 'Here'])
    expect(archive.pageCount).toBe(1)
    expect(archive.versionCount).toBe(1)
  })

  test('in which a redirect leads on', () => {
    const target = `${HOME}new`
    const archive = archiveFrom([
      { kind: 'redirect', url: HOME, at: MONDAY, target },
      page(target, 0, '<title>New'),
    ])
    expect(new RecordedWeb(archive, 0).find(HOME)).toMatchObject({ kind: 'redirect', target })
  })

  test('in which a revisit is what it refers to, read before or after it', () => {
    const captures = [
      page(HOME, 0, '<title>A', 'sha1:A'),
      page(HOME, 7, '<title>B', 'sha1:B'),
      unchanged(HOME, 14, 'sha1:A'),
      unchanged(HOME, 21),
      unchanged(HOME, 28, 'sha1:unknown'),
    ]
    for (const order of [captures, [...captures].reverse()]) {
      const archive = archiveFrom(order)
      expect(titlesOf(archive, HOME)).toEqual(['A', 'B', 'A', 'A', 'A'])
      expect(archive.versionCount).toBe(2)
    }
  })

  test('but not without a single page', () => {
    expect(() => archiveFrom([gone(HOME, 0)])).toThrow(/no page in these files/)
    expect(() => archiveFrom([])).toThrow(/no page in these files/)
  })
})

describe('an imported archive', () => {
  test('marks the lines that stand on a tenth of a host’s pages, and on ten at least', () => {
    const pages = (host: string, count: number) =>
      Array.from({ length: count }, (_, i) =>
        page(
          `https://${host}/${i}`,
          0,
          `<title>${i}</title><p>Menu of ${host}<p>Text ${i}${i < 9 ? '<p>Nine only' : ''}`,
        ),
      )
    const archive = archiveFrom([...pages('a.example', 12), ...pages('b.example', 9)])
    const marked = new Set<string>()
    for (let version = 0; version < archive.versionCount; version++)
      archive.forEachBlock(version, (text, boilerplate) => boilerplate && marked.add(text))
    expect([...marked]).toEqual(['Menu of a.example'])
    expect(archive.mainTextOf(10)).toBe('Text 10')
  })

  test('tells changes of the menu from changes of the text', () => {
    const weeks = [0, 7, 14].flatMap((day) =>
      Array.from({ length: 10 }, (_, i) =>
        page(`${HOME}${i}`, day, `<p>Menu of day ${day}<p>Text ${day === 14 ? `new ${i}` : i}`),
      ),
    )
    const archive = archiveFrom(weeks)
    const versions = [0, 1, 2].map((snapshot) => archive.versionAt(0, snapshot)!)
    expect(new Set(versions).size).toBe(3)
    expect(archive.sameMainText(versions[0], versions[1])).toBe(true)
    expect(archive.sameMainText(versions[1], versions[2])).toBe(false)
  })

  test('keeps links with their anchors, and knows which lead to its pages', () => {
    const archive = archiveFrom([
      page(HOME, 0, '<a href="/in">In</a><a href="/out">Lost</a><a href="//b.example/">Far</a>'),
      page(`${HOME}in`, 0, '<a href="/">Home</a><a href="/in">In</a>'),
    ])
    const links = [...archive.linksOf(archive.versionAt(0, 0)!)].map((link) => [
      archive.linkUrl(link),
      archive.linkAnchor(link),
      archive.linkPage(link),
      archive.linkIsOnSite(link),
    ])
    expect(links).toEqual([
      [`${HOME}in`, 'In', 1, true],
      [`${HOME}out`, 'Lost', undefined, true],
      ['https://b.example/', 'Far', undefined, false],
    ])
  })

  test('starts where it is told, else at noted seeds, else at a home page, else at the first', () => {
    const pages = [
      page(`${HOME}deep`, 0, '<a href="/">a</a><a href="https://b.example/">b</a>'),
      page(`${HOME}other`, 0.1, '<a href="https://b.example/">b</a>'),
      page(HOME, 0.2, 'home'),
      page('https://b.example/', 0.3, 'b'),
    ]
    const seed: Capture = { kind: 'seed', url: `${HOME}other`, at: MONDAY }
    expect(archiveFrom([...pages, seed], { start: [HOME] }).site.start).toEqual([HOME])
    expect(archiveFrom([...pages, seed]).site.start).toEqual([`${HOME}other`])
    expect(archiveFrom(pages).site.start).toEqual(['https://b.example/'])
    expect(archiveFrom(pages.slice(0, 2)).site.start).toEqual([`${HOME}deep`])
  })

  test('has the last robots.txt of each of its hosts', () => {
    const robots = (host: string, days: number, text: string): Capture => ({
      kind: 'robots',
      host,
      at: MONDAY + days * DAY,
      text,
    })
    const archive = archiveFrom([
      page(HOME, 0, 'x'),
      robots('a.example', 8, 'new'),
      robots('a.example', 0, 'old'),
      robots('z.example', 0, 'other'),
    ])
    expect(archive.site.robots).toEqual({ 'a.example': 'new' })
  })
})

describe('a record tells', () => {
  const record = (
    type: string,
    block: string,
    fields: Record<string, string> = {},
  ): WarcRecord => ({
    offset: 0,
    length: 0,
    type,
    fields: new Map(
      Object.entries({
        'warc-target-uri': HOME,
        'warc-date': '2026-01-05T00:00:00Z',
        ...fields,
      }),
    ),
    block: Buffer.from(block),
    blockBytes: block.length,
  })
  const kindOf = (type: string, block: string, fields = {}) =>
    captureOf(record(type, block, fields))?.kind
  const html = 'Content-Type: text/html\r\n\r\n<title>T'

  test.each([
    ['a page', 'response', `HTTP/1.1 200 OK\r\n${html}`, 'page'],
    ['a page without a type', 'response', 'HTTP/1.1 200 OK\r\n\r\n <p>T', 'page'],
    ['a redirect', 'response', 'HTTP/1.1 301 M\r\nLocation: /x\r\n\r\n', 'redirect'],
    ['a page that is gone', 'response', `HTTP/1.1 410 Gone\r\n${html}`, 'gone'],
    ['that a page is the same', 'revisit', `HTTP/1.1 200 OK\r\n${html}`, 'unchanged'],
    ['that a page is the same, without a head', 'revisit', '', 'unchanged'],
    ['that a page was not modified', 'response', 'HTTP/1.1 304 NM\r\n\r\n', 'unchanged'],
    ['that a page is gone as before', 'revisit', 'HTTP/1.1 404 No\r\n\r\n', 'gone'],
    ['a seed', 'metadata', 'seed: \r\nfetchTimeMs: 5\r\n', 'seed'],
    [
      'nothing about an image',
      'response',
      'HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n\r\n',
      undefined,
    ],
    ['nothing about bytes without a type', 'response', 'HTTP/1.1 200 OK\r\n\r\n\0\0', undefined],
    ['nothing when the server failed', 'response', `HTTP/1.1 503 Oh\r\n${html}`, undefined],
    ['nothing in a redirect to nowhere', 'response', 'HTTP/1.1 301 M\r\n\r\n', undefined],
    ['nothing in other metadata', 'metadata', 'via: x\r\n', undefined],
    ['nothing in a request', 'request', 'GET / HTTP/1.1\r\n\r\n', undefined],
    [
      'nothing in broken gzip',
      'response',
      `HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n${html}`,
      undefined,
    ],
  ])('%s', (_, type, block, kind) => {
    expect(kindOf(type, block)).toBe(kind)
  })

  test('nothing without a valid URL and date', () => {
    const block = `HTTP/1.1 200 OK\r\n${html}`
    expect(kindOf('response', block, { 'warc-target-uri': 'dns:a.example' })).toBeUndefined()
    expect(kindOf('response', block, { 'warc-date': 'today' })).toBeUndefined()
  })

  test('a robots.txt', () => {
    const fields = { 'warc-target-uri': 'https://a.example:8443/robots.txt' }
    const block = 'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\nUser-agent: *\nDisallow: /x\n'
    expect(captureOf(record('response', block, fields))).toMatchObject({
      kind: 'robots',
      host: 'a.example:8443',
      text: 'User-agent: *\nDisallow: /x\n',
    })
  })

  test.each([
    ['repeated', 'revisit', `HTTP/1.1 200 OK\r\n${html}`],
    ['repeated without a head', 'revisit', ''],
    ['not there', 'response', `HTTP/1.1 404 No\r\n${html}`],
    ['elsewhere', 'response', 'HTTP/1.1 301 M\r\nLocation: /x\r\n\r\n'],
  ])('no page where a robots.txt is %s', (_, type, block) => {
    expect(kindOf(type, block, { 'warc-target-uri': `${HOME}robots.txt` })).toBeUndefined()
  })
})
