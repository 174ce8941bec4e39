import { describe, expect, test } from 'vitest'
import { isThorough } from '#numeric/cases.test-kit.ts'
import { costMs } from '#numeric/stays-linear.test-kit.ts'
import { testLinear } from './adversarial.test-kit.ts'
import { filled, halves, type Shape } from './adversarial-shapes.test-kit.ts'
import { visitXml } from './documents/office-archive.ts'
import { plainPage } from './documents/plain-page.ts'
import { readRtf } from './documents/rtf.ts'
import { fieldRules, MOST_FIELDS } from './fields/field-rules.ts'
import { readFields } from './fields/read-fields.ts'

const BYTES = (isThorough ? 512 : 192) * 1024
const URL = 'http://a.example/x'

const PAGES: Readonly<Record<string, Shape>> = {
  'nested elements': filled('', '<div class=a>'),
  'nested elements, closed': halves(filled('', '<div>'), filled('', '</div>')),
  'elements beside each other': filled('', '<p class="a b c">x</p>'),
  'attributes of one element': filled('<p ', 'a=1 ', '>'),
  'words of a class': filled('<p class="', 'a ', '">'),
  'a text that all match': filled('<div class=a><div class=a><div class=a>', 'x<b>y</b>'),
}
const RULES = fieldRules(
  Object.fromEntries(
    Array.from({ length: MOST_FIELDS }, (_, i) => [
      `f${i}`,
      [`div div .a ~ b, p.a.b:not(.d), * *`],
    ]),
  ) as Record<string, [string]>,
)

describe('fields by the dearest selectors', () => {
  for (const [name, page] of Object.entries(PAGES))
    testLinear(`of ${name}`, page, (html) => readFields(html, RULES.slice(0, 3)), BYTES / 4)

  test('many words of many classes, and values within values, cost little', async () => {
    const thirty = (selector: (i: number) => string) =>
      fieldRules(
        Object.fromEntries(
          Array.from({ length: MOST_FIELDS }, (_, i) => [`f${i}`, [selector(i)]] as const),
        ),
      )
    const classes = `<p class="${'ab '.repeat(300)}">`.repeat(1_000)
    const nested = '<div class=a>'.repeat(100) + '<p> '.repeat(100_000)
    const classless = thirty((i) => `.f${i}`)
    expect(await costMs(() => readFields(classes, classless), undefined)).toBeLessThan(1_000)
    const all = thirty(() => '.a')
    expect(await costMs(() => readFields(nested, all), undefined)).toBeLessThan(1_000)
  })

  test('a class is one of the words, whatever parts them', () => {
    const rules = fieldRules({ one: '.a', none: '[class~="b c"]', two: '.aa' })
    const found = readFields('<p class="ab ba xa\n\ta\faaa">x</p><p class="b c aa">y</p>', rules)
    expect(found).toEqual({ one: 'x', two: 'y' })
  })

  test('elements too many or too deep are not looked at', () => {
    const rules = fieldRules({ last: 'i', deep: 'u' })
    const html = `${'<b></b>'.repeat(100_000)}<i>x</i>`
    expect(readFields(html, rules)).toBeUndefined()
    expect(readFields(`${'<div>'.repeat(500)}<u>x</u>`, rules)).toBeUndefined()
  })
})

const RTF: Readonly<Record<string, Shape>> = {
  groups: filled('{\\rtf1', '{'),
  'ends of groups': filled('{\\rtf1', '}'),
  'control words': filled('{\\rtf1', '\\b0'),
  backslashes: filled('{\\rtf1', '\\'),
  'bytes in hex': filled('{\\rtf1', "\\'e4"),
  'links without end': filled('{\\rtf1', '{\\field{\\*\\fldinst HYPERLINK "'),
}

describe('documents', () => {
  for (const [name, shape] of Object.entries(RTF))
    testLinear(`RTF of ${name}`, shape, (text) => readRtf(text, URL), BYTES)
  for (const part of ['http://', 'http://a.example/...', 'https://a)', '# ', '\n', '= ='])
    testLinear(
      `plain text of ${JSON.stringify(part)}`,
      filled('', part),
      (text) => plainPage(text, URL),
      BYTES,
    )
  for (const part of ['<a>', '<a b="c">', '<![CDATA[', '&amp;', '<!ENTITY a "b">'])
    testLinear(
      `XML of ${part}`,
      filled('<x>', part),
      (xml) => visitXml(xml, { open: (_, attributes) => void attributes(), text: () => {} }),
      BYTES,
    )
})
