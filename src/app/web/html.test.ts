import fc from 'fast-check'
import { parseFragment } from 'parse5'
import { expect, test } from 'vitest'
import { html, linkable } from './html.ts'

test('whatever stands in a template comes out of a parser as it went in', () => {
  const text = fc.string({ unit: fc.constantFrom(...'<>&"\'/=`-! ab;#39', 'script') })
  fc.assert(
    fc.property(text, (value) => {
      const { childNodes } = parseFragment(html`<p title="${value}">${value}</p>`.text)
      expect(childNodes.length).toBe(1)
      const [paragraph] = childNodes as unknown as [
        { attrs: { value: string }[]; childNodes: { value: string }[] },
      ]
      expect(paragraph.attrs.map((attribute) => attribute.value)).toEqual([value])
      expect(paragraph.childNodes.map((node) => node.value)).toEqual(value === '' ? [] : [value])
    }),
  )
})

test('templates nest, lists join, and what is left out leaves nothing', () => {
  const items = ['a', '<b>'].map((item) => html`<li>${item}</li>`)
  expect(html`<ul>${items}</ul>${undefined}${false}${0}`.text).toBe(
    '<ul><li>a</li><li>&lt;b&gt;</li></ul>0',
  )
})

test('only web addresses may be links', () => {
  expect(linkable('https://a.org/x?y=1')).toBe('https://a.org/x?y=1')
  expect(linkable('HTTP://a.org')).toBe('http://a.org/')
  for (const url of [
    'javascript:alert(1)',
    ' JavaScript:1',
    'data:text/html,x',
    'file:///etc',
    '',
    '/x',
  ])
    expect(linkable(url)).toBeUndefined()
})
