import fc from 'fast-check'
import { expect, test } from 'vitest'
import { REL_HUB, REL_SITEMAP } from '../page/page.ts'
import { parsePage } from '../parse-page.ts'
import { canonicalUrl } from '../url/canonical-url.ts'
import { parseSitemap } from './sitemap.ts'

const MAP = 'https://www.a.example/maps/sitemap.xml'
const NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
const bytes = (text: string) => new TextEncoder().encode(text)
const parse = (text: string, type = 'application/xml', url = MAP) =>
  parsePage(bytes(text), type, url)
const urlset = (inner: string) => `<urlset ${NAMESPACE}>${inner}</urlset>`
const urlsOf = (xml: string) => parseSitemap(xml, MAP).links.map(({ url }) => url)
const date = (text: string) => Date.parse(text) / 1000

test('a sitemap is a page of links with dates, and not to be shown', () => {
  const xml = `<?xml version="1.0" encoding="UTF-8"?>
    <?xml-stylesheet type="text/xsl" href="x.xsl"?><!-- made by hand -->
    ${urlset(`<url><loc> https://www.a.example/?b=2&amp;a=1 </loc>
      <lastmod>2024-05-17T10:00:00+02:00</lastmod><changefreq>daily</changefreq></url>
      <url><loc>https://www.a.example/caf&#xE9;</loc></url>`)}`
  expect(parse(xml)).toEqual({
    form: 'sitemap',
    title: '',
    text: '',
    links: [
      {
        url: 'https://www.a.example/?a=1&b=2',
        anchor: '',
        rel: REL_SITEMAP,
        lastModified: date('2024-05-17T08:00:00Z'),
      },
      { url: 'https://www.a.example/caf%C3%A9', anchor: '', rel: REL_SITEMAP },
    ],
    noindex: true,
    nofollow: false,
  })
})

test('the sitemaps of an index are hubs', () => {
  const xml = `<sitemapindex ${NAMESPACE}><sitemap><loc>https://www.a.example/1.xml.gz</loc>
    <lastmod>2024-05-17</lastmod></sitemap><sitemap><loc>/2.xml</loc></sitemap></sitemapindex>`
  expect(parse(xml, 'text/xml').links).toEqual([
    {
      url: 'https://www.a.example/1.xml.gz',
      anchor: '',
      rel: REL_HUB,
      lastModified: date('2024-05-17T00:00:00Z'),
    },
    { url: 'https://www.a.example/2.xml', anchor: '', rel: REL_HUB },
  ])
})

const loc = (path: string) => `<url><loc>https://www.a.example/${path}</loc></url>`
const a = (path: string) => `https://www.a.example/${path}`

test.each<[string, string, string[]]>([
  ['is broken off', `<urlset>${loc('1')}<url><loc>https://www.a.example/2`, [a('1'), a('2')]],
  ['forgets end tags', `<urlset><url><loc>${a('1')}<url><loc>${a('2')}</urlset>`, [a('1'), a('2')]],
  [
    'has a prefix',
    `<sm:urlset xmlns:sm="x"><sm:url><sm:loc>${a('1')}</sm:loc></sm:url></sm:urlset>`,
    [a('1')],
  ],
  ['has CDATA', `<urlset><url><loc><![CDATA[${a('?b&c')}]]></loc></url></urlset>`, [a('?b&c')]],
  ['has attributes', `<urlset><url id="1"><loc x='y'>${a('1')}</loc></url></urlset>`, [a('1')]],
  ['is in capitals', `<URLSET><URL><LOC>${a('1')}</LOC></URL></URLSET>`, [a('1')]],
  [
    'has empty entries',
    `<urlset><url/><url><loc/></url><url><loc></loc></url>${loc('1')}`,
    [a('1')],
  ],
  ['has bad entries', `<urlset><url><loc>mailto:x</loc></url>${loc('1')}</urlset>`, [a('1')]],
  [
    'has images',
    `<urlset><url><image:image><image:loc>${a('i.png')}</image:loc></image:image><loc>${a('1')}</loc></url></urlset>`,
    [a('1')],
  ],
  ['names two addresses', `<urlset><url><loc>${a('1')}</loc><loc>${a('2')}</loc></url>`, [a('1')]],
  ['has no loc', `<sitemapindex><sitemap>\n${a('1.xml')}\n</sitemap>`, [a('1.xml')]],
  ['nests twice', `<urlset><urlset>${loc('1')}</urlset></urlset>`, [a('1')]],
  ['is no XML at all', 'just words', []],
])('a sitemap that %s is read as far as it goes', (_, xml, expected) => {
  expect(urlsOf(xml)).toEqual(expected)
})

test('entries of another registrable domain are left out, unless they name the sitemap', () => {
  const entry = (url: string) => `<url><loc>${url}</loc></url>`
  const xml = urlset(
    [
      'http://a.example/',
      'https://shop.a.example/x',
      'https://b.example/',
      'https://evila.example/',
    ]
      .map(entry)
      .join(''),
  )
  expect(urlsOf(xml)).toEqual(['http://a.example/', 'https://shop.a.example/x'])
  const named = parseSitemap(xml, MAP, (origin) => origin === 'https://b.example')
  expect(named.links.map(({ url }) => url)).toContain('https://b.example/')
  expect(named.links).toHaveLength(3)
})

test('an article in a news sitemap has changed when it was published, unless lastmod says else', () => {
  const news = '<news:news><news:publication_date>2024-05-01</news:publication_date></news:news>'
  const xml = urlset(`<url><loc>${a('1')}</loc>${news}</url>
    <url><loc>${a('2')}</loc><lastmod>2024-05-02</lastmod>${news}</url>
    <url><loc>${a('3')}</loc><lastmod>recently</lastmod></url>`)
  expect(parseSitemap(xml, MAP).links.map(({ lastModified }) => lastModified)).toEqual([
    date('2024-05-01T00:00:00Z'),
    date('2024-05-02T00:00:00Z'),
    undefined,
  ])
})

test('what news, images and videos are called are words of the page, within limits', () => {
  const xml =
    urlset(`<url><loc>${a('1')}</loc><news:news><news:publication><news:name>The Paper</news:name>
    </news:publication><news:title>On &amp; off</news:title></news:news></url>
    <url><loc>${a('2')}</loc><image:image><image:loc>${a('x.png')}</image:loc><image:title>A duck</image:title>
    <image:caption>and its bill</image:caption></image:image></url><url><loc>${a('3')}</loc></url>
    <url><loc>${a('4')}</loc><video:title>${'word '.repeat(500)}</video:title></url>`)
  const [first, second, third, fourth] = parseSitemap(xml, MAP).links.map(({ anchor }) => anchor)
  expect([first, second, third]).toEqual(['On & off', 'A duck and its bill', ''])
  expect(fourth.length).toBeLessThanOrEqual(300)
})

test('entities that a DOCTYPE declares mean nothing, however they multiply', () => {
  const doctype = `<!DOCTYPE urlset [<!ENTITY a "https://www.a.example/x"><!ENTITY b "&a;&a;&a;">
    <!ENTITY f SYSTEM "file:///etc/passwd"><!ENTITY e "<url><loc>${a('entity')}</loc></url>">]>`
  const xml = `<?xml version="1.0"?>${doctype}<urlset><url><loc>${a('&f;&b;')}</loc></url>&e;</urlset>`
  const page = parse(xml)
  expect(page.form).toBe('sitemap')
  expect(page.links.map(({ url }) => url)).toEqual([a('&f;&b;')])
})

test('of too many entries the first 50,000 are read', () => {
  const entries = Array.from({ length: 50_010 }, (_, i) => loc(String(i)))
  const { links } = parse(urlset(entries.join('\n')))
  expect(links).toHaveLength(50_000)
  expect(links[49_999].url).toBe(a('49999'))
})

test.each([
  ['sitemap.txt', `${a('1')}\n\n not a url \r\n${a('2')}`, 'sitemap', [a('1'), a('2')]],
  ['sitemap-news.txt?x=1', '', 'sitemap', []],
  ['list', `\ufeff${a('1')}\n${a('2')}\nhttps://b.example/`, 'sitemap', [a('1'), a('2')]],
  [
    'list',
    'https://b.example/\nhttps://c.example/',
    'page',
    ['https://b.example/', 'https://c.example/'],
  ],
  ['list', `${a('1')}\nsome words`, 'page', [a('1')]],
  ['list', '', 'page', []],
])('plain text at /%s that says %j is a %s', (path, text, form, urls) => {
  const page = parse(text, 'text/plain', a(path))
  expect(page.form).toBe(form)
  expect(page.links.map(({ url }) => url)).toEqual(urls)
})

test.each(['text/html', 'text/plain', 'application/octet-stream', undefined])(
  'a sitemap is known by its root element, served as %s',
  (type) => {
    expect(parsePage(bytes(urlset(loc('1'))), type, MAP).form).toBe('sitemap')
  },
)

test('XHTML stays a page', () => {
  const xhtml = `<?xml version="1.0"?><!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "x">
    <html xmlns="http://www.w3.org/1999/xhtml"><head><title>T</title></head><body/></html>`
  expect(parse(xhtml, 'application/xhtml+xml')).toMatchObject({ form: 'page', title: 'T' })
})

const piece = fc.constantFrom(
  ...['<urlset>', '<url>', '<loc>', '</loc>', '</url>', '<sitemap>', '<lastmod>', '</', '<', '>'],
  ...['<![CDATA[', ']]>', '<!--', '-->', '<!DOCTYPE x [', '<!ENTITY a "b">', '&a;', '&#x', '&amp;'],
  ...[
    'https://www.a.example/',
    'https://b.example/',
    '2024',
    '"',
    '=',
    ' ',
    '\0',
    '<?xml',
    '?>',
    'é',
  ],
)

test('any sitemap is read, and its links are canonical and its own', () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
      for (const { url } of parse(`<urlset>${pieces.join('')}`).links) {
        expect(url).toBe(canonicalUrl(url))
        expect(new URL(url).hostname.endsWith('a.example')).toBe(true)
      }
      parse(pieces.join(''))
    }),
    { numRuns: 1000 },
  )
})

test('what a sitemap writer writes is read back', () => {
  const escaped = (text: string) => text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`)
  const entry = fc.record({
    path: fc.webPath(),
    query: fc.webQueryParameters(),
    time: fc.option(fc.nat(4e9), { nil: undefined }),
  })
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 8 }), (entries) => {
      const expected = entries.flatMap(({ path, query, time }) => {
        const url = canonicalUrl(`https://www.a.example${path}?${query}`)
        if (url === undefined) return []
        return [
          { url, anchor: '', rel: REL_SITEMAP, ...(time !== undefined && { lastModified: time }) },
        ]
      })
      const lines = expected.map(({ url, lastModified }) => {
        const lastmod =
          lastModified && `<lastmod>${new Date(lastModified * 1000).toISOString()}</lastmod>`
        return `<url><loc>${escaped(url)}</loc>${lastmod ?? ''}</url>`
      })
      const { links } = parse(urlset(lines.join('\n')))
      expect(links.map(({ url }) => url)).toEqual(expected.map(({ url }) => url))
      for (const [at, { lastModified }] of expected.entries())
        if (lastModified) expect(links[at].lastModified).toBe(lastModified)
    }),
  )
})
