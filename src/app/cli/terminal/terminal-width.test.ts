import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cutToWidth, terminalWidth } from './terminal-width.ts'

test.each([
  ['', 0],
  ['trails', 6],
  ['Straße', 6],
  ['日本語', 6],
  ['ﾊﾝｶｸ', 4],
  ['ゼンカク', 8],
  ['서울 2', 6],
  ['e\u0301te\u0301', 3],
  ['👟 shoes', 8],
])('%j takes %d columns', (text, width) => {
  expect(terminalWidth(text)).toBe(width)
})

test('a text is cut between characters, and then as wide as may be', () => {
  expect(cutToWidth('hiking trails', 7)).toBe('hiking…')
  expect(cutToWidth('日本の山', 5)).toBe('日本…')
  expect(cutToWidth('👟👟👟', 4)).toBe('👟…')
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 30 }), (text, most) => {
      const cut = cutToWidth(text, most)
      expect(terminalWidth(cut)).toBeLessThanOrEqual(most)
      expect(cut.isWellFormed()).toBe(true)
      if (cut !== text) expect(text.startsWith(cut.slice(0, -1))).toBe(true)
    }),
  )
})
