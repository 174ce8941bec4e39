import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Duplicates, NEAR_MIN_WORDS, type TextMarks } from './duplicates.ts'

const word = fc.integer({ min: 0, max: 0xffffffff })
const marks = (
  fingerprint: number,
  simhash: readonly [number, number],
  words = 500,
): TextMarks => ({
  fingerprint: [fingerprint, 0],
  simhash,
  words,
  title: 7,
})
const flip = (
  [low, high]: readonly [number, number],
  bits: readonly number[],
): [number, number] => {
  let [a, b] = [low, high]
  for (const bit of bits) {
    if (bit < 32) a = (a ^ (1 << bit)) >>> 0
    else b = (b ^ (1 << (bit - 32))) >>> 0
  }
  return [a, b]
}

test('the same text is a duplicate of the page that had it first', () => {
  const duplicates = new Duplicates()
  expect(duplicates.originalOf(7, marks(1, [1, 2], 5))).toBeUndefined()
  expect(duplicates.originalOf(9, marks(1, [1, 2], 5))).toBe(7)
  expect(duplicates.originalOf(7, marks(1, [1, 2], 5))).toBeUndefined()
})

test('simhashes up to three bits apart are near duplicates, wherever the bits lie', () => {
  const bits = fc.uniqueArray(fc.nat(63), { maxLength: 6 })
  fc.assert(
    fc.property(word, word, bits, (low, high, flipped) => {
      const duplicates = new Duplicates()
      duplicates.originalOf(1, marks(1, [low, high]))
      const found = duplicates.originalOf(2, marks(2, flip([low, high], flipped)))
      expect(found).toBe(flipped.length <= 3 ? 1 : undefined)
    }),
  )
})

test('thin pages of one template are told apart by their titles', () => {
  const duplicates = new Duplicates()
  duplicates.originalOf(1, marks(1, [5, 5]))
  expect(duplicates.originalOf(2, { ...marks(2, [5, 4]), title: 8 })).toBeUndefined()
  expect(duplicates.originalOf(3, marks(3, [5, 4]))).toBe(1)
})

test('short texts are duplicates only when they are the same', () => {
  const duplicates = new Duplicates()
  duplicates.originalOf(1, marks(1, [5, 5], NEAR_MIN_WORDS - 1))
  expect(duplicates.originalOf(2, marks(2, [5, 5], NEAR_MIN_WORDS - 1))).toBeUndefined()
})

test('a page without words is nobody’s duplicate', () => {
  const duplicates = new Duplicates()
  duplicates.originalOf(1, marks(0, [0, 0], 0))
  expect(duplicates.originalOf(2, marks(0, [0, 0], 0))).toBeUndefined()
})
