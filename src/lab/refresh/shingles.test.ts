import fc from 'fast-check'
import { expect, test } from 'vitest'
import { changeShare, shinglesOf } from './shingles.ts'

const words = fc.array(fc.constantFrom('one', 'two', 'three'), { maxLength: 40 })

/** Sets of strings instead of hashes. */
function naiveShare(a: readonly string[], b: readonly string[]): number {
  const setOf = (list: readonly string[]) =>
    new Set(
      list.length === 0
        ? []
        : Array.from({ length: Math.max(1, list.length - 9) }, (_, i) =>
            list.slice(i, i + 10).join(' '),
          ),
    )
  const [left, right] = [setOf(a), setOf(b)]
  const all = left.union(right).size
  return all === 0 ? 0 : 1 - left.intersection(right).size / all
}

test('the share that differs is the Jaccard distance of the sets of ten words in a row', () => {
  fc.assert(
    fc.property(words, words, (a, b) => {
      const share = changeShare(shinglesOf(a.join(' ')), shinglesOf(b.join(' ')))
      expect(share).toBeCloseTo(naiveShare(a, b), 12)
    }),
  )
})

test('order counts, case does not', () => {
  expect(changeShare(shinglesOf('a b c'), shinglesOf('c b a'))).toBe(1)
  expect(changeShare(shinglesOf('Good News'), shinglesOf('good news'))).toBe(0)
  expect(changeShare(shinglesOf(''), shinglesOf(''))).toBe(0)
  expect(changeShare(shinglesOf(''), shinglesOf('news'))).toBe(1)
})

test('a word more at the end of twelve adds a fourth shingle to three', () => {
  const words = 'a b c d e f g h i j k l'
  expect(changeShare(shinglesOf(words), shinglesOf(`${words} m`))).toBe(1 / 4)
  expect(changeShare(shinglesOf(`z ${words}`), shinglesOf(`${words} m`))).toBe(2 / 5)
})
