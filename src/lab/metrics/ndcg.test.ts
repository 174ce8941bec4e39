import { expect, test } from 'vitest'
import { ndcg, recall } from './ndcg.ts'

const grades = new Map([
  [1, 4],
  [2, 2],
  [3, 1],
  [4, 0],
])

test('the best order scores 1, and a page out of place costs by its rank', () => {
  expect(ndcg([1, 2, 3], grades)).toBe(1)
  const ideal = 31 + 7 / Math.log2(3) + 3 / 2
  expect(ndcg([9, 1, 4, 2], grades)).toBeCloseTo((31 / Math.log2(3) + 7 / Math.log2(5)) / ideal, 12)
})

test('only the first results count', () => {
  expect(ndcg([9, 9, 1], grades, 2)).toBe(0)
  expect(recall([9, 1, 2], grades, 2)).toBeCloseTo(1 / 3)
})

test('a query nothing could answer is left out', () => {
  expect(ndcg([1], new Map([[1, 0]]))).toBeUndefined()
  expect(recall([1], new Map([[1, 0]]))).toBeUndefined()
})
