import fc from 'fast-check'
import { expect, test } from 'vitest'
import { StringTable } from '#numeric/string-table.ts'
import { defaultAnalyser } from '../full-text/default-search.ts'
import { TermReader } from './term-reader.ts'

/** The long way: every text is analysed whole, and nothing is remembered. */
const termsOf = (text: string) => defaultAnalyser.terms(text)

const stretch = fc.oneof(
  fc.constantFrom(
    'cats',
    'Cats',
    'cat',
    'don’t',
    'Zürich',
    'ﬁsh',
    '東京',
    'naïve—plan',
    '😀',
    'x😀y',
    '…',
  ),
  fc.constantFrom(
    'a-word-beyond-what-a-slot-holds',
    'pneumonoultramicroscopicsilicovolcanoconiosis',
  ),
  // Around the length up to which words are numbers.
  fc.string({ unit: fc.constantFrom('a', 'A', '0', 'z'), minLength: 9, maxLength: 12 }),
  fc.string({ unit: 'grapheme', maxLength: 6 }),
  fc.string({ unit: 'binary', maxLength: 4 }), // halves of surrogate pairs too
)
const aText = fc
  .array(fc.tuple(stretch, fc.constantFrom(' ', '', '\n', '. ', '/')), { maxLength: 40 })
  .map((parts) => parts.flat().join(''))

test('what is read is what analysis gives, whatever was read before', () => {
  fc.assert(
    fc.property(fc.array(aText, { maxLength: 6 }), (texts) => {
      const table = new StringTable()
      const reader = new TermReader(termsOf, table)
      for (const text of texts)
        expect(Array.from(reader.read(text), (term) => table.at(term))).toEqual(termsOf(text))
    }),
    { numRuns: 500 },
  )
})

test('words that want the same slot do not take each other for themselves', () => {
  const table = new StringTable()
  const reader = new TermReader(termsOf, table)
  const text = Array.from({ length: 200_000 }, (_, i) => `word${i % 90_000}`).join(' ')
  expect(Array.from(reader.read(text), (term) => table.at(term))).toEqual(termsOf(text))
})
