import fc from 'fast-check'
import { type DefaultTreeAdapterMap, parse } from 'parse5'
import { expect, test } from 'vitest'
import { parseHtml } from './html.ts'

type Node = DefaultTreeAdapterMap['node']
const NOT_SHOWN = new Set(['script', 'style', 'template', 'title', 'noscript'])

/** What a browser's tree says: visible text without white space, and links with their anchors. */
function readTree(node: Node, hidden = false, found = { text: '', links: [] as string[][] }) {
  const attribute = (name: string) =>
    'attrs' in node ? node.attrs.find((one) => one.name === name)?.value : undefined
  const isHidden = hidden || NOT_SHOWN.has(node.nodeName) || attribute('hidden') !== undefined
  if ('value' in node && !isHidden) found.text += node.value
  const href = node.nodeName === 'a' ? attribute('href') : undefined
  if (href !== undefined) found.links.push([href, wordsOf(node)])
  if ('childNodes' in node) for (const child of node.childNodes) readTree(child, isHidden, found)
  return found
}

function wordsOf(node: Node): string {
  if ('value' in node) return node.value
  return 'childNodes' in node ? node.childNodes.map(wordsOf).join('') : ''
}

const unspaced = (text: string) => text.replace(/\s+/g, '')

const text = fc.constantFrom(
  'word',
  ' two words ',
  '\n',
  'caf&eacute;',
  '&lt;',
  'a&#98;c',
  '&amp',
  '',
)
const attributes = fc.constantFrom('', ' hidden', ' class="x > y"', ' HIDDEN=""', ' title="&quot;"')
const link = fc
  .tuple(fc.constantFrom('one', 'two'), attributes, text, text)
  .map(([name, more, a, b]) => `<a href="https://example.org/${name}"${more}>${a}<b>${b}</b></a>`)
const aside = fc.constantFrom(
  ...['<script>"<p>"</script>', '<style>a>b{}</style>', '<!-- <p> -->', '<br>', '<img alt="no">'],
  ...['<noscript>no</noscript>', '<template>no</template>', '<svg><title>no</title><g/></svg>'],
)
const { blocks } = fc.letrec<{ blocks: string }>((tie) => ({
  blocks: fc
    .array(
      fc.oneof({ maxDepth: 4 }, text, link, aside, tie('element'), tie('list'), tie('element')),
      {
        maxLength: 5,
      },
    )
    .map((parts) => parts.join('')),
  element: fc
    .tuple(fc.constantFrom('div', 'section', 'span', 'x-card', 'em'), attributes, tie('blocks'))
    .map(([name, more, inner]) => `<${name}${more}>${inner}</${name}>`),
  // End tags left out, as the standard allows.
  list: fc
    .tuple(fc.constantFrom('li', 'p', 'dd'), attributes, text, attributes, link)
    .map(([name, a, one, b, two]) => `<div><${name}${a}>${one}<${name}${b}>${two}</div>`),
}))

test('a page says what the tree of a standard parser says', () => {
  fc.assert(
    fc.property(blocks, (body) => {
      const html = `<!doctype html><title>t</title><body>${body}`
      const expected = readTree(parse(html, { scriptingEnabled: false }))
      const page = parseHtml(html, 'https://example.org/')
      expect(unspaced(page.text)).toBe(unspaced(expected.text))
      expect(page.links.map(({ url, anchor }) => [url, unspaced(anchor)])).toEqual(
        expected.links.map(([href, words]) => [href, unspaced(words)]),
      )
    }),
    { numRuns: 1000 },
  )
})
