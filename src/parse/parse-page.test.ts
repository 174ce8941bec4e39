import fc from 'fast-check'
import { expect, test } from 'vitest'
import { canonicalUrl } from './canonical-url.ts'
import { parsePage } from './parse-page.ts'

const PAGE = 'https://example.org/dir/page'
const bytes = (text: string) => new TextEncoder().encode(text)

test('markup is read in the encoding it declares', () => {
  const body = Uint8Array.from('<meta charset=koi8-r><title>\xc4\xc1</title>', (c) =>
    c.charCodeAt(0),
  )
  expect(parsePage(body, 'text/html', PAGE).title).toBe('да')
})

test('plain text is text, line by line, and nothing else', () => {
  expect(parsePage(bytes('a <b>  c\r\n\r\n d '), 'Text/Plain; charset=utf-8', PAGE)).toEqual({
    form: 'page',
    title: '',
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

const HARD: Record<string, (n: number) => string> = {
  'nested blocks': (n) => '<div>'.repeat(n),
  'nested blocks, closed': (n) => '<div>'.repeat(n) + '</div>'.repeat(n),
  'nested paragraphs in spans': (n) => '<span><p>'.repeat(n),
  'nested forms in tables': (n) => '<form><table><tr><td>'.repeat(n),
  'nested hidden elements': (n) => '<b hidden>'.repeat(n),
  'nested drawings': (n) => '<svg><foreignObject>'.repeat(n),
  'end tags that end nothing': (n) => '<div>'.repeat(n) + '</span>'.repeat(n),
  'list items below blocks': (n) => '<div>'.repeat(n) + '<li>x'.repeat(n),
  'names nobody knows': (n) => Array.from({ length: n }, (_, i) => `<x${i}></y${i}>`).join(''),
  'links never closed': (n) => '<a href=/x>y'.repeat(n),
  'relative links under a long base': (n) =>
    `<base href="/${'x'.repeat(n)}">${'<a href="y z">'.repeat(n / 10)}`,
  'a huge attribute': (n) => `<a href="${'/x'.repeat(n)}" rel="${'a '.repeat(n)}">`,
  'a refresh after very long': (n) =>
    `<meta http-equiv=refresh content="${'1'.repeat(n)}">`.repeat(2) +
    `<meta http-equiv=refresh content="1${' '.repeat(n)}">`,
  'very many directives': (n) =>
    `<meta name=robots content="${'unavailable_after: mon,'.repeat(n)}">`,
  'very many related pages': (n) => '<link rel=next href=x>'.repeat(n),
  'an attribute of references': (n) => `<a href="${'&amp;'.repeat(n)}">`,
  'very many attributes': (n) => `<a ${'hidden x=y '.repeat(n)}>`,
  'a text of references': (n) => '&eacute;'.repeat(n),
  'broken references': (n) => '&#'.repeat(n),
  'one endless reference': (n) => `&#${'1'.repeat(n)}`,
  'less-than signs': (n) => '<'.repeat(n),
  'comments never closed': (n) => '<!--'.repeat(n),
  'titles never closed': (n) => '<title>'.repeat(n),
  'scripts never closed': (n) => '<script></scrip'.repeat(n),
  'entries of a sitemap': (n) => `<urlset>${'<url><loc>/x</loc></url>'.repeat(n)}`,
  'nested entries of a sitemap': (n) => `<urlset>${'<url><loc>'.repeat(n)}`,
  'entities of a sitemap': (n) => `<urlset><url><loc>${'&amp;&x;'.repeat(n)}`,
  'prologs of a sitemap': (n) => `${'<!-- --><?x?>'.repeat(n)}<urlset>`,
  'doctypes in front': (n) => `${'<!a['.repeat(n)}${'<!b>'.repeat(n)}`,
  'items of a feed': (n) => `<rss>${'<item><title>a&amp;amp;</title><link>/x</link>'.repeat(n)}`,
  'a title of a feed': (n) => `<rss><item><title>${'<b>&lt;'.repeat(n)}`,
  'asides of a feed': (n) => `<feed>${'<entry><source>'.repeat(n)}`,
  'white space': (n) => ' \n'.repeat(n),
  'single words': (n) => ' a\n'.repeat(n),
}

/** Below this, the clock and the garbage collector are all one measures. */
const CLOCK_SECONDS = 0.002

/** The best of three: a busy machine slows down one run, not all of them in the same proportion. */
function secondsFor(body: Uint8Array): number {
  const runs = Array.from({ length: 3 }, () => {
    const start = performance.now()
    parsePage(body, 'text/html; charset=utf-8', PAGE)
    return performance.now() - start
  })
  return Math.min(...runs) / 1000
}

test.each(Object.keys(HARD))('eight times as much of %s takes no 40 times as long', (name) => {
  const small = bytes(HARD[name](25_000))
  const large = bytes(HARD[name](200_000))
  // Quadratic time would give 64. A machine that is busy just now gets two more chances.
  const timeRatio = () => secondsFor(large) / Math.max(secondsFor(small), CLOCK_SECONDS)
  expect(timeRatio() < 40 || timeRatio() < 40 || timeRatio() < 40).toBe(true)
})

test('a million nested elements are read', () => {
  const page = parsePage(bytes(`${'<div>'.repeat(1e6)}deep`), 'text/html', PAGE)
  expect(page.text).toBe('deep')
})
