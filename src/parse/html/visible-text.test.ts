import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MAX_TEXT_CHARS } from '../page/page.ts'
import { CollapsedText } from '../text/collapsed-text.ts'
import { VisibleText } from './visible-text.ts'

const space = fc.constantFrom(' ', ' ', '\t', '\n', '\u00a0', '\u2003', '\u3000', '\ufeff', '\r')
const letter = fc.constantFrom('a', 'b', '1', 'é', '中', '😀', '\0', '\u001b', '\u07ff', '\uffff')
const piece = fc.string({ unit: fc.oneof(space, letter) })
const gap = fc.constantFrom(' ' as const, '\n' as const, undefined)

test('a text is the same as if its slices were joined', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(piece, gap)), (pieces) => {
      const [visible, collapsed] = [new VisibleText(), new CollapsedText(MAX_TEXT_CHARS)]
      for (const text of [visible, collapsed])
        for (const [one, after] of pieces) {
          text.add(`<${one}>`, 1, 1 + one.length)
          if (after) text.gap(after)
        }
      expect(visible.toString()).toBe(collapsed.toString())
      expect(visible.isEmpty).toBe(collapsed.isEmpty)
    }),
  )
})

test.each(['a', 'é', '中', '😀', 'word '])('a text of %j alone ends at the limit', (part) => {
  const [visible, collapsed] = [new VisibleText(), new CollapsedText(MAX_TEXT_CHARS)]
  for (const text of [visible, collapsed]) {
    text.add('x')
    text.add(part.repeat(MAX_TEXT_CHARS))
    text.add('y')
  }
  expect(visible.toString()).toBe(collapsed.toString())
})

test('half a surrogate pair becomes a replacement character', () => {
  const text = new VisibleText()
  text.add('a\ud83d')
  text.add('\ude00b')
  expect(text.toString()).toBe('a\ufffd\ufffdb')
})
