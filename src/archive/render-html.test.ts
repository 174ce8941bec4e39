import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parsePage } from '#parse/parse-page.ts'
import { archiveOf } from './format/assemble-archive.ts'
import { smallArchive } from './format/small-archive.test-kit.ts'
import { RecordedWeb } from './recorded-web.ts'
import { renderHtml } from './render-html.ts'

const URL = 'http://a.example/page'

/** A web with one page, and that page parsed from bytes as a fetcher would get them. */
function served(
  title: string,
  text: string[],
  boilerplate: string[],
  links: [url: string, anchor: string][],
) {
  const page = { live: [0, 0] as const, title, text, boilerplate, links }
  const web = new RecordedWeb(archiveOf(smallArchive(1, { [URL]: [page] })), 0)
  const bytes = new TextEncoder().encode(web.htmlOf(0))
  return { direct: web.answer(URL), overHttp: parsePage(bytes, 'text/html', URL) }
}

const oddText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({
    unit: fc.oneof(
      fc.constantFrom(
        ...['<', '>', '&', '"', "'", '&amp;', '&#0;', '&nbsp', '</title>', '</p>', '</a>', '<!--'],
        ...['-->', '<script>', '</nav>', '<![CDATA[', '\u0000', '\t', '\n', '\r', '\f', '\u000b'],
        ...['\u00a0', '\u2028', '\ufeff', '\ud800', '\udc00', '\u{1f344}', ' ', '  ', 'a', 'é'],
      ),
    ),
  }),
)
const oddUrl = fc.oneof(
  fc.webUrl({ withQueryParameters: true, withFragments: true }),
  fc.constantFrom('http://b.example/a b?x="<&>\'', 'mailto:me@b.example', '', '#top', '/relative'),
)

test('a page parsed from its rendered HTML is the page fetched directly', () => {
  fc.assert(
    fc.property(
      oddText,
      fc.array(oddText, { maxLength: 4 }),
      fc.array(oddText, { maxLength: 3 }),
      fc.array(fc.tuple(oddUrl, oddText), { maxLength: 5 }),
      (title, text, boilerplate, links) => {
        const { direct, overHttp } = served(title, text, boilerplate, links)
        expect(direct).toMatchObject({ kind: 'page', page: overHttp })
        expect(direct.kind === 'page' && direct.page).toEqual(overHttp)
      },
    ),
    { numRuns: 500 },
  )
})

test('an oversized page is cut in the same places either way', () => {
  const links = Array.from({ length: 10_050 }, (_, n): [string, string] => [
    `http://b.example/${n}`,
    'word '.repeat(n < 3 ? 100 : 1),
  ])
  const { direct, overHttp } = served('t'.repeat(900), ['w '.repeat(120_000)], [], links)
  expect(direct.kind === 'page' && direct.page).toEqual(overHttp)
  expect(overHttp.links).toHaveLength(10_000)
  expect(overHttp.text.length).toBeLessThan(200_001)
})

test('anchors are links, not text, and boilerplate stands aside', () => {
  const page = {
    title: 'Fungi & <friends>',
    text: 'Menu\nChanterelles',
    links: [{ url: 'http://b.example/?a=1&b=2', anchor: 'Boletus', rel: 0 }],
    language: 'en',
  }
  const html = renderHtml(page, [true, false])
  expect(html).toContain('<aside><p>Menu</p></aside>\n<p>Chanterelles</p>')
  expect(html).toContain('<title>Fungi &amp; &lt;friends&gt;</title>')
  expect(html).toContain('nav[hidden]{display:block}')
  expect(html).toContain('<a href="http://b.example/?a=1&amp;b=2">Boletus</a>')
  const parsed = parsePage(new TextEncoder().encode(html), 'text/html', URL)
  expect(parsed).toEqual({ form: 'page', ...page, noindex: false, nofollow: false })
})
