import fc from 'fast-check'
import { expect, test } from 'vitest'
import { CollapsedText } from './collapsed-text.ts'

const space = fc.constantFrom(' ', ' ', '\t', '\n', '\u00a0', '\u2003', '\u3000', '\ufeff', '\r')
const piece = fc.string({ unit: fc.oneof(space, fc.constantFrom('a', 'b', '1', 'é', '中', '\0')) })

test('pieces read as one text with every stretch of white space made one space', () => {
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      const text = new CollapsedText(1000)
      for (const one of pieces) text.add(`<${one}>`, 1, 1 + one.length)
      expect(text.toString()).toBe(pieces.join('').replace(/\s+/g, ' ').trim())
    }),
  )
})

test('a line end outweighs the spaces around it', () => {
  const text = new CollapsedText(100)
  text.gap('\n')
  text.add('one ')
  text.gap('\n')
  text.gap(' ')
  text.add(' two')
  text.gap('\n')
  expect(text.toString()).toBe('one\ntwo')
})

test('text ends at the limit, never within a character', () => {
  const text = new CollapsedText(4)
  text.add('abc😀def')
  text.add('ghi')
  expect(text.toString()).toBe('abc')
})
