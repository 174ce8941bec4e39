import fc from 'fast-check'
import { expect, test } from 'vitest'
import { canonicalUrl } from '../url/canonical-url.ts'
import { parseLinkHeader } from './link-header.ts'
import { REL_ALTERNATE, REL_HUB } from './page.ts'

const PAGE = 'https://example.org/dir/page'
const link = (url: string, rel: number, anchor = '') => ({ url, anchor, rel })

test.each<[string | string[], string | undefined, ReturnType<typeof link>[]]>([
  ['</best>; rel="canonical"', 'https://example.org/best', []],
  ['<x>; rel=canonical', 'https://example.org/dir/x', []],
  ['</one>; rel=canonical, </two>; rel=canonical', 'https://example.org/one', []],
  ['<mailto:a@b.example>; rel=canonical, </two>; rel=canonical', 'https://example.org/two', []],
  ['</a>; rel="shortlink Canonical"', 'https://example.org/a', []],
  [
    '<https://example.org/de>; rel="alternate"; hreflang="de"',
    undefined,
    [link('https://example.org/de', REL_ALTERNATE)],
  ],
  ['</x>; rel=alternate; media="print"', undefined, []],
  [
    '</feed>; rel=alternate; type="application/rss+xml"; title="News; all, of \\"it\\""',
    undefined,
    [link('https://example.org/feed', REL_HUB, 'News; all, of "it"')],
  ],
  [
    '</f.json>; type="application/feed+json";rel=alternate',
    undefined,
    [link('https://example.org/f.json', REL_HUB)],
  ],
  ['</s.xml>; rel=sitemap', undefined, [link('https://example.org/s.xml', REL_HUB)]],
  [
    '<?page=3>; rel="next", <?page=1>; rel=prev',
    undefined,
    [link(`${PAGE}?page=3`, 0), link(`${PAGE}?page=1`, 0)],
  ],
  ['</style.css>; rel=preload; as=style, <https://cdn.example>; rel=preconnect', undefined, []],
  ['</a,b;c>; rel="next"; title="x, y"', undefined, [link('https://example.org/a,b;c', 0, 'x, y')]],
  ['</other>; rel=canonical; anchor="/elsewhere"', undefined, []],
  ['</first>; rel=next; rel=canonical', undefined, [link('https://example.org/first', 0)]],
  [
    ['</a>; rel=next', '</b>; rel=canonical'],
    'https://example.org/b',
    [link('https://example.org/a', 0)],
  ],
  ['</a> ; REL = "next"', undefined, [link('https://example.org/a', 0)]],
  ['</a>; rel="next', undefined, [link('https://example.org/a', 0)]],
  ['</a>; title="; rel=next', undefined, []],
  ['</a', undefined, []],
  ['</a>', undefined, []],
  ['<javascript:x>; rel=next', undefined, []],
  ['', undefined, []],
])('Link: %j', (header, canonical, links) => {
  expect(parseLinkHeader(header, PAGE)).toEqual({ ...(canonical && { canonical }), links })
})

const piece = fc.constantFrom(
  ...['<', '>', ';', ',', '"', '\\', '=', ' ', '/a', 'rel', 'next', 'canonical', 'title', '\n'],
  ...['rel="', 'rel=next', 'hreflang=', 'é', '\ud800', '<https://b.example/>', '__proto__=1'],
)

test('any header is read, and all its links are canonical', () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      const { canonical, links } = parseLinkHeader(pieces.join(''), PAGE)
      for (const url of [...links.map(({ url }) => url), ...(canonical ? [canonical] : [])])
        expect(url).toBe(canonicalUrl(url))
    }),
    { numRuns: 2000 },
  )
})

test('a flood of links is cut', () => {
  const { links } = parseLinkHeader('</a>; rel=next, '.repeat(5000), PAGE)
  expect(links).toHaveLength(100)
})
