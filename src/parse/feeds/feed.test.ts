import fc from 'fast-check'
import { expect, test } from 'vitest'
import { REL_FEED, REL_HUB } from '../page/page.ts'
import { parsePage } from '../parse-page.ts'
import { canonicalUrl } from '../url/canonical-url.ts'

const FEED = 'https://a.example/blog/feed'
const parse = (text: string, type = 'application/xml') =>
  parsePage(new TextEncoder().encode(text), type, FEED)
const date = (text: string) => Date.parse(text) / 1000
const rss = (inner: string) => `<rss version="2.0"><channel>${inner}</channel></rss>`

test('what items say of their pages beside titles is told apart, in words and within limits', () => {
  const long = 'word '.repeat(500)
  const atom = `<feed xmlns="http://www.w3.org/2005/Atom"><entry><title>One</title><link href="/1"/>
    <summary type="xhtml"><div>On <b>platypus</b> venom</div></summary></entry></feed>`
  const json = JSON.stringify({
    version: 'https://jsonfeed.org/version/1.1',
    items: [{ url: '/1', title: 'One', summary: 'On platypus venom' }],
  })
  const told = (text: string, type?: string) =>
    parse(text, type).links.map(({ url, anchor }) => [new URL(url).pathname, anchor])
  const expected = [
    ['/1', 'One'],
    ['/1', 'On platypus venom'],
  ]
  expect(told(atom)).toEqual(expected)
  expect(told(json, 'application/feed+json')).toEqual(expected)
  const [, [, words]] = told(
    rss(`<item><title>One</title><link>/1</link><description>${long}</description></item>`),
  )
  expect(words).toHaveLength(299)
  expect(
    told(rss('<item><link>/1</link><description>&lt;img src="x"&gt;</description></item>')),
  ).toHaveLength(1)
})

test('the items of RSS 2.0 are links with title and date', () => {
  const xml = `<?xml version="1.0"?>${rss(`<title>The &amp;amp; Blog</title>
    <link>https://a.example/</link><image><title>Logo</title><link>/logo</link></image>
    <item><title>It&amp;#8217;s &lt;b&gt;here&lt;/b&gt;</title><link>https://a.example/1?b&amp;a</link>
      <media:title>not this</media:title><description><![CDATA[<a href="/x">x</a>]]></description>
      <pubDate>Fri, 17 May 2024 10:00:00 +0200</pubDate></item>
    <item><guid>https://a.example/2</guid><title><![CDATA[Two]]></title></item>
    <item><guid isPermaLink="false">https://a.example/3</guid><title>Three</title></item>
    <item><guid>44</guid></item>`)}`
  expect(parse(xml, 'application/rss+xml')).toEqual({
    form: 'feed',
    title: 'The & Blog',
    text: '',
    links: [
      {
        url: 'https://a.example/1?b&a',
        anchor: 'It’s here',
        rel: REL_FEED,
        lastModified: date('2024-05-17T08:00:00Z'),
      },
      { url: 'https://a.example/1?b&a', anchor: 'x', rel: REL_FEED },
      { url: 'https://a.example/2', anchor: 'Two', rel: REL_FEED },
    ],
    noindex: true,
    nofollow: false,
  })
})

test('the items of RSS 1.0 stand beside their channel', () => {
  const xml = `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
      xmlns="http://purl.org/rss/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/">
    <channel rdf:about="https://a.example/"><title>Old</title><link>https://a.example/</link>
      <items><rdf:Seq><rdf:li rdf:resource="https://a.example/1"/></rdf:Seq></items></channel>
    <item rdf:about="https://a.example/1"><title>One</title><dc:date>2003-02-01T00:00Z</dc:date>
      <link>https://a.example/one</link></item>
    <item rdf:about="https://a.example/2"><title>Two</title></item></rdf:RDF>`
  const page = parse(xml, 'text/xml')
  expect(page).toMatchObject({ form: 'feed', title: 'Old' })
  expect(page.links).toEqual([
    {
      url: 'https://a.example/one',
      anchor: 'One',
      rel: REL_FEED,
      lastModified: date('2003-02-01T00:00:00Z'),
    },
    { url: 'https://a.example/2', anchor: 'Two', rel: REL_FEED },
  ])
})

test('other RDF is no feed', () => {
  const foaf = '<rdf:RDF xmlns:foaf="http://xmlns.com/foaf/0.1/"><foaf:Person/></rdf:RDF>'
  expect(parse(foaf).form).toBe('page')
})

test('the entries of Atom are links; updated outweighs published', () => {
  const xml = `<feed xmlns="http://www.w3.org/2005/Atom" xml:base="https://a.example/base/">
    <title type="text">Atom</title><link href="/" /><link rel="self" href="/feed"/>
    <link rel="next" href="/feed?page=2"/><link rel="hub" href="https://hub.example/"/>
    <link rel="prev-archive" href="https://a.example/2023.atom"/>
    <entry><title type="xhtml"><div>A <b>bold</b> title</div></title>
      <link rel="edit" href="/edit/1"/><link rel="alternate" href="one"/>
      <source><title>Elsewhere</title><link href="https://b.example/"/></source>
      <published>2024-05-01T00:00:00Z</published><updated>2024-05-02T00:00:00Z</updated>
      <content type="html">&lt;a href="/x"&gt;</content></entry>
    <entry><title>Two</title><link href="https://b.example/two"/></entry></feed>`
  const page = parse(xml, 'application/atom+xml')
  expect(page.title).toBe('Atom')
  expect(page.links).toEqual([
    { url: 'https://a.example/feed?page=2', anchor: '', rel: REL_HUB },
    { url: 'https://a.example/2023.atom', anchor: '', rel: REL_HUB },
    {
      url: 'https://a.example/base/one',
      anchor: 'A bold title',
      rel: REL_FEED,
      lastModified: date('2024-05-02T00:00:00Z'),
    },
    { url: 'https://b.example/two', anchor: 'Two', rel: REL_FEED },
  ])
})

test('an RSS feed may name its next part in the manner of Atom', () => {
  const xml = rss('<atom:link rel="next" href="?paged=2"/><item><link>/1</link></item>')
  expect(parse(xml).links.map(({ url, rel }) => [url, rel])).toEqual([
    [`${FEED}?paged=2`, REL_HUB],
    ['https://a.example/1', REL_FEED],
  ])
})

test('a JSON Feed is read alike', () => {
  const feed = {
    version: 'https://jsonfeed.org/version/1.1',
    title: 'J & Co',
    next_url: '?page=2',
    items: [
      { url: '/1', title: 'One', date_published: '2024-05-01', date_modified: '2024-05-02' },
      { id: 'https://a.example/2', title: null },
      { id: '3' },
      'nonsense',
      null,
    ],
  }
  const page = parse(JSON.stringify(feed), 'application/feed+json; charset=utf-8')
  expect(page).toMatchObject({ form: 'feed', title: 'J & Co', noindex: true })
  expect(page.links).toEqual([
    {
      url: 'https://a.example/1',
      anchor: 'One',
      rel: REL_FEED,
      lastModified: date('2024-05-02T00:00:00Z'),
    },
    { url: 'https://a.example/2', anchor: '', rel: REL_FEED },
    { url: `${FEED}?page=2`, anchor: '', rel: REL_HUB },
  ])
  expect(parse(JSON.stringify(feed), 'application/json').form).toBe('feed')
})

test.each(['{}', '[1]', 'null', '{"version": 1}', '{', `${'['.repeat(1e6)}`])(
  'other JSON is text: %.20s',
  (json) => {
    expect(parse(json, 'application/json')).toMatchObject({ form: 'page', links: [] })
  },
)

test.each([
  ['is broken off', '<rss><channel><item><title>One</title><link>/1', [['/1', 'One']]],
  [
    'forgets end tags',
    '<rss><item><link>/1<item><title>Two<link>/2',
    [
      ['/1', ''],
      ['/2', 'Two'],
    ],
  ],
  ['has a prefix', '<a:feed><a:entry><a:link href="/1"/></a:entry></a:feed>', [['/1', '']]],
  ['has no items', '<rss/>', []],
])('a feed that %s is read as far as it goes', (_, xml, expected) => {
  expect(parse(xml).links.map(({ url, anchor }) => [new URL(url).pathname, anchor])).toEqual(
    expected,
  )
})

const piece = fc.constantFrom(
  ...[
    '<rss>',
    '<feed>',
    '<channel>',
    '<item>',
    '</item>',
    '<entry>',
    '</entry>',
    '<link>',
    '</link>',
  ],
  ...['<link href="/x"/>', '<title>', '</title>', '<title type=xhtml>', '<pubDate>', '<source>'],
  ...[
    '</source>',
    '<guid>',
    '<![CDATA[',
    ']]>',
    '<!--',
    '&lt;a',
    '&amp;',
    '&#0;',
    'https://b.example/',
  ],
  ...['<', '>', '"', '2024', 'words', ' ', '\ud800', '<rdf:RDF>', '</feed>', '<b>'],
)

test('any feed is read, and its links are canonical', () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
      for (const { url, anchor } of parse(`<rss>${pieces.join('')}`).links) {
        expect(url).toBe(canonicalUrl(url))
        expect(anchor).toBe(anchor.replace(/\s+/g, ' ').trim())
      }
      parse(pieces.join(''))
    }),
    { numRuns: 1000 },
  )
})
