import { expect, test } from 'vitest'
import { sketchedQueries } from './sketched-queries.ts'

const queries = [3, 9, 1, 7, 5].map((weight) => ({ text: `asked ${weight} times`, weight }))
const weightsOf = (some: readonly { weight: number }[]) => some.map(({ weight }) => weight)

test('the queries asked most get sketches, and the others teach', () => {
  const { sketched, lessons } = sketchedQueries(queries, 0.4)
  expect(weightsOf(sketched)).toEqual([9, 7])
  expect(weightsOf(lessons)).toEqual([3, 1, 5])
})

test('all of them do if that is wanted, but never more than there is room for', () => {
  expect(sketchedQueries(queries, 1)).toEqual({ sketched: queries, lessons: [] })
  expect(weightsOf(sketchedQueries(queries, 1, 1).sketched)).toEqual([9])
})

test('however small the share, one query has a sketch', () => {
  expect(weightsOf(sketchedQueries(queries, 0.001).sketched)).toEqual([9])
})
