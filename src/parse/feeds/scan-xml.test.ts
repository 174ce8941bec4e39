import fc from 'fast-check'
import { Tokenizer } from 'htmlparser2'
import { expect, test } from 'vitest'
import { HREF } from '../html/tag-attributes.ts'
import { decodedXml, scanXml, xmlRoot } from './scan-xml.ts'

/** What a document holds, in short; text in one piece. */
function scanned(xml: string): string {
  const heard: string[] = []
  scanXml(xml, {
    open: (prefix, name, attributes) => {
      const href = decodedXml(attributes.written(HREF))
      heard.push(`<${prefix}:${name}${href === undefined ? '' : ` ${href}`}>`)
    },
    close: (prefix, name) => heard.push(`</${prefix}:${name}>`),
    wantsText: true,
    text: (source, start, end) => heard.push(source.slice(start, end)),
    isDone: false,
  })
  return heard.join('')
}

/** The same, told by a tokenizer that is not ours. */
function tokenized(xml: string): string {
  const heard: string[] = []
  let name = ''
  let attribute = ''
  let value: string | undefined
  let href: string | undefined
  const fullName = (start: number, end: number) => {
    const [first, ...rest] = xml.slice(start, end).toLowerCase().split(':')
    return rest.length === 0 ? `:${first}` : `${first}:${rest.join(':')}`
  }
  const opened = () => heard.push(`<${name}${href === undefined ? '' : ` ${href}`}>`)
  const tokenizer = new Tokenizer(
    { xmlMode: true, decodeEntities: true },
    {
      onopentagname: (start, end) => {
        name = fullName(start, end)
        href = undefined
      },
      onattribname: (start, end) => {
        attribute = xml.slice(start, end).toLowerCase()
        value = ''
      },
      onattribdata: (start, end) => {
        value += xml.slice(start, end)
      },
      onattribentity: (point) => {
        value += String.fromCodePoint(point)
      },
      onattribend: () => {
        if (attribute === 'href') href ??= value
      },
      onopentagend: opened,
      onselfclosingtag: () => {
        opened()
        heard.push(`</${name}>`)
      },
      onclosetag: (start, end) => heard.push(`</${fullName(start, end)}>`),
      ontext: (start, end) => heard.push(xml.slice(start, end)),
      ontextentity: (point) => heard.push(String.fromCodePoint(point)),
      oncdata: (start, end, endLength) => heard.push(xml.slice(start, end - endLength)),
      oncomment: () => {},
      ondeclaration: () => {},
      onprocessinginstruction: () => {},
      onend: () => {},
    },
  )
  tokenizer.write(xml)
  tokenizer.end()
  return heard.join('')
}

const part = fc.constantFrom(
  ...[
    '<a>',
    '</a>',
    '<B:c>',
    '</B:c >',
    '<d/>',
    '<d />',
    '<link href="x"/>',
    "<link href='a&amp;b'>",
  ],
  ...['<e href = "1>2" x="y">', '<!-- - -->', '<!-- <a> -->', '<![CDATA[<a>&amp;]]>', '<?x y?>'],
  ...[
    'text',
    ' ',
    '\n',
    '&lt;',
    '&#65;',
    '&#x42;',
    '&nosuch;',
    '&',
    '&amp',
    'é',
    '>',
    ']]>',
    '"',
    '=',
  ],
)

test('a document holds what another tokenizer finds in it', () => {
  fc.assert(
    fc.property(fc.array(part), (parts) => {
      const xml = `<root>${parts.join('')}</root>`
      expect(scanned(xml)).toBe(tokenized(xml))
    }),
    { numRuns: 3000 },
  )
})

test('markup without end is none, and what comes after it is not heard of', () => {
  expect(scanned('a<b>c<d href="e')).toBe('a<:b>c')
  expect(scanned('a<!-- b<c>')).toBe('a')
  expect(scanned('1 < 2 <= 3<b/>')).toBe('1 < 2 <= 3<:b></:b>')
})

test('a list is read up to millions of tags and attributes', () => {
  const end = '<end/>'
  expect(scanned(`<a/>${'<!---->'.repeat(1_000_000)}${end}`)).toBe('<:a></:a><:end></:end>')
  expect(scanned(`<a/>${'<!---->'.repeat(3_000_000)}${end}`)).toBe('<:a></:a>')
  expect(scanned(`<a ${'b '.repeat(3_000_000)}/>${end}`)).toBe('')
})

test.each([
  ['<a:b>', 'a b 0'],
  [' <?xml?><!-- --><!DOCTYPE a [<!ENTITY b ">">]><C/>', ' c 46'],
  ['<!a><!b [>] ><c>', ' c 13'],
  ['<!a [', undefined],
  ['text', undefined],
])('the root of %j is %s', (xml, expected) => {
  const root = xmlRoot(xml)
  expect(root && `${root.prefix} ${root.name} ${root.start}`).toBe(expected)
})
