import fc from 'fast-check'
import { expect, test } from 'vitest'
import { analyserByLanguage } from './analysis.ts'
import { STEMMERS } from './stemmers.ts'

const ALPHABETS = [
  'abcdefghijklmnopqrstuvwxyzäöüßéèçñåø',
  'абвгдежзийклмнопрстуфхцчшщъыьэюяі',
  'αβγδεζηθ',
  'ابتثجحخد',
  'அஆஇஈ',
]

test.each([...STEMMERS])('%s: any word of any alphabet has a stem', (_, stem) => {
  const word = fc
    .constantFrom(...ALPHABETS)
    .chain((letters) =>
      fc.string({ unit: fc.constantFrom(...letters), minLength: 1, maxLength: 14 }),
    )
  fc.assert(fc.property(word, (text) => typeof stem(text) === 'string'))
})

test('words whose letters change with their ending can be asked for', () => {
  for (const word of ['езици', 'клонове', 'героеве', 'успехи', 'прозорци'])
    expect(analyserByLanguage().queryWords(word)[0]).toContain(word)
})
