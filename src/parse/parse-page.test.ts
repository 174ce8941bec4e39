import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parsePage } from './parse-page.ts'
import { canonicalUrl } from './url/canonical-url.ts'

const PAGE = 'https://example.org/dir/page'
const bytes = (text: string) => new TextEncoder().encode(text)

test('markup is read in the encoding it declares', () => {
  const body = Uint8Array.from('<meta charset=koi8-r><title>\xc4\xc1</title>', (c) =>
    c.charCodeAt(0),
  )
  expect(parsePage(body, 'text/html', PAGE).title).toBe('да')
})

test('plain text is text, line by line, and its first line the title', () => {
  expect(parsePage(bytes('a <b>  c\r\n\r\n d '), 'Text/Plain; charset=utf-8', PAGE)).toEqual({
    form: 'page',
    format: 'text',
    title: 'a <b> c',
    text: 'a <b> c\nd',
    links: [],
    noindex: false,
    nofollow: false,
  })
})

const fragment = fc.constantFrom(
  ...[
    '<a href="',
    '<a href=x>',
    '</a>',
    '<p>',
    '</p>',
    '<p hidden>',
    '<div',
    '<div>',
    '</div>',
    '>',
  ],
  ...[
    '<script>',
    '</script',
    '<title>',
    '</title>',
    '<template>',
    '</template>',
    '<svg>',
    '</svg>',
  ],
  ...[
    '<base href=//h/>',
    '<base href=":">',
    '<img alt="',
    '<!--',
    '-->',
    '<![CDATA[',
    ']]>',
    '<!doc',
  ],
  ...[
    '&',
    '&#',
    '&#x110000;',
    '&#0;',
    '&amp',
    '&notin;',
    '"',
    "'",
    '=',
    '/',
    '/>',
    '<',
    '</',
    '\0',
  ],
  ...[
    '<meta name=robots content=',
    '<meta http-equiv=refresh content=0;url=',
    '<link rel=alternate hreflang=de href=',
    'none',
    '<link rel=canonical href=',
    '<textarea>',
    '<plaintext>',
  ],
  ...[
    '<math>',
    '<foreignObject>',
    '<table>',
    '<tr>',
    '<td>',
    '<li>',
    'text',
    ' ',
    '\n',
    'é',
    '\ud800',
  ],
  ...[
    'http://',
    'http://example.org/%',
    '#',
    '<html lang=',
    '<area href=',
    '<x-y hidden>',
    '</x-y>',
  ],
)
const soup = fc.array(fragment, { maxLength: 40 }).map((parts) => bytes(parts.join('')))
const type = fc.constantFrom(undefined, 'text/html', 'text/html; charset=utf-16le', 'text/plain')

test('any bytes make a page, and all its links are canonical', () => {
  fc.assert(
    fc.property(fc.oneof(soup, fc.uint8Array({ maxLength: 300 })), type, (body, contentType) => {
      const page = parsePage(body, contentType, PAGE)
      expect(page.text).toBe(
        page.text
          .replace(/[^\S\n]+/g, ' ')
          .replace(/ ?\n+ ?/g, '\n')
          .trim(),
      )
      for (const link of page.links) {
        expect(link.url).toBe(canonicalUrl(link.url))
        expect(link.anchor).toBe(link.anchor.replace(/\s+/g, ' ').trim())
      }
    }),
    { numRuns: 3000 },
  )
})

test('a million nested elements are read', () => {
  const page = parsePage(bytes(`${'<div>'.repeat(1e6)}deep`), 'text/html', PAGE)
  expect(page.text).toBe('deep')
})

test('a list may be preceded by comments and declarations, but not by thousands', () => {
  const list = '<urlset><url><loc>https://example.org/x</loc></url></urlset>'
  const form = (prolog: string) => parsePage(bytes(prolog + list), 'text/xml', PAGE).form
  expect(form('<?xml version="1.0"?><!-- <html> --><!DOCTYPE urlset [<!ENTITY a "b">]>\n')).toBe(
    'sitemap',
  )
  expect(form('<!a>'.repeat(20_000))).toBe('page')
})

test('of a plain text no more is read than can be kept, however much white space it has', () => {
  const page = parsePage(bytes(`a${' '.repeat(5_000_000)}b`), 'text/plain', PAGE)
  expect(page.text).toBe('a')
})

test('a JSON text of nothing but brackets is no feed', () => {
  const feed = (items: string) =>
    bytes(`{"version":"https://jsonfeed.org/version/1.1","items":[${items}{"url":"/x"}]}`)
  const formOf = (items: string) => parsePage(feed(items), 'application/feed+json', PAGE).form
  expect(formOf('[],'.repeat(1_000))).toBe('feed')
  expect(formOf('[],'.repeat(500_000))).toBe('page')
})
