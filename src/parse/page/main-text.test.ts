import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mainText } from './main-text.ts'

/** The same, line by line. */
function byLines(text: string, asides: readonly number[]): string {
  const isAside = (line: number) =>
    asides.some((first, i) => i % 2 === 0 && line >= first && line < asides[i + 1])
  return text
    .split('\n')
    .filter((_, line) => !isAside(line))
    .join('\n')
}

test('the main text is all lines that are not aside', () => {
  const text = fc.array(fc.constantFrom('', 'one', 'two three', 'ß')).map((all) => all.join('\n'))
  const asides = fc
    .uniqueArray(fc.nat(12))
    .map((lines) => lines.sort((a, b) => a - b).slice(0, lines.length & ~1))
  fc.assert(
    fc.property(text, asides, (text, asides) => {
      expect(mainText({ text, asides })).toBe(byLines(text, asides))
    }),
  )
})

test('a text without asides is left as it is', () => {
  expect(mainText({ text: 'menu\nwords' })).toBe('menu\nwords')
})
