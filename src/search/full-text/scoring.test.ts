import { expect, test } from 'vitest'
import { countOneMore, FIELDS } from './fields.ts'
import { bm25, conjunctive, soft, tfIdf } from './scoring.ts'

const statistics = { pages: 10, averageLengths: [2, 1, 3, 50] } as const
/** Lengths of two pages; the second is scored. */
const lengths = Uint32Array.of(9, 9, 9, 9, 4, 10, 3, 100)
const [SECOND, FIRST_OF_ALL] = [4, 0]

function countsOf(perField: readonly number[]): number {
  let counts = 0
  FIELDS.forEach((_, field) => {
    for (let i = 0; i < perField[field]; i++) counts = countOneMore(counts, field)
  })
  return counts
}

const scoring = bm25({
  ...{ k1: 1.2, coverage: conjunctive },
  fieldWeights: [4, 2, 1, 1],
  lengthShares: [0.5, 0, 0.3, 0.75],
})

test('BM25 by hand: a title twice as long as others, an anchor whose length does not count, a body twice as long', () => {
  // 4·2 / (0.5 + 0.5·2) + 2·1 + 1·3 / (0.25 + 0.75·2)
  const count = 16 / 3 + 2 + 12 / 7
  const found = scoring.part(5, countsOf([2, 1, 0, 3]), lengths, SECOND, statistics)
  expect(found).toBeCloseTo((5 * 2.2 * count) / (1.2 + count), 12)
  // 1·1 / (0.7 + 0.3·9/3)
  const inUrl = scoring.part(1, countsOf([0, 0, 1, 0]), lengths, FIRST_OF_ALL, statistics)
  expect(inUrl).toBeCloseTo((2.2 * 0.625) / (1.2 + 0.625), 12)
})

test('an empty field of a corpus without any is no obstacle', () => {
  const empty = { pages: 1, averageLengths: [0, 0, 0, 1] } as const
  const found = scoring.part(1, countsOf([0, 0, 0, 1]), Uint32Array.of(0, 0, 0, 1), 0, empty)
  expect(found).toBeCloseTo(1, 12)
})

test('however often a term stands on a page, it earns less than its bound, and comes near it', () => {
  const found = scoring.part(3, countsOf([255, 255, 0, 0]), lengths, SECOND, statistics)
  expect(scoring.bound(3)).toBeCloseTo(6.6, 12)
  expect(found).toBeLessThan(6.6)
  expect(found).toBeGreaterThan(6.5)
})

test('the idf of BM25 by hand: 3 of 10 pages, and all of them', () => {
  expect(scoring.weight(3, statistics, 1)).toBeCloseTo(Math.log(22 / 7), 12)
  expect(scoring.weight(10, statistics, 1)).toBeCloseTo(Math.log(22 / 21), 12)
})

test('TF-IDF by hand: four of 117 words, in 3 of 10 pages', () => {
  const { weight, part, bound } = tfIdf()
  expect(weight(3, statistics, 1)).toBeCloseTo((1 + Math.log(2.5)) ** 2, 12)
  const found = part(2, countsOf([1, 0, 1, 2]), lengths, SECOND, statistics)
  expect(found).toBeCloseTo(2 * Math.sqrt(4 / 117), 12)
  expect(bound(2)).toBe(2)
})

test('a page that misses part of a query earns nothing, or a power of the rest', () => {
  expect([1, 1 - 1e-12, 0.99].map(conjunctive)).toEqual([1, 1, 0])
  expect([1, 0.5].map(soft(1))).toEqual([1, 0.5])
  expect([1, 0.5].map(soft(3))).toEqual([1, 0.125])
})
