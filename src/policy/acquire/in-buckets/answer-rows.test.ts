import { expect, test } from 'vitest'
import { ANSWER_DEPTH } from '../../facts/query-answers.ts'
import { type AnswerRows, mergedAnswers } from './answer-rows.ts'

/** Answers to two queries; a page is known by one number, and only the first query has `scores`. */
function rows(scores: Readonly<Record<number, number>>, count = 0): AnswerRows {
  const pages = Object.keys(scores).map(Number)
  return {
    queries: new Uint32Array(pages.length),
    low: Uint32Array.from(pages),
    high: new Uint32Array(pages.length),
    scores: Float64Array.from(pages, (page) => scores[page]),
    counts: Uint32Array.of(count, 0),
  }
}

const seen = ({ low, scores }: AnswerRows) =>
  Array.from(low, (page, row) => [page, scores[row]] as const)

test('the best answers of all buckets are taken, of equals those of lower hashes, and what is told goes first, unless a copy was better', () => {
  const merged = mergedAnswers(
    [rows({ 7: 2, 3: 1 }, 30), rows({ 5: 2, 9: 4 }, 30)],
    [rows({ 9: 1.5, 1: 3, 5: 2.5 })],
    2,
  )
  expect(seen(merged)).toEqual([
    ...[[9, 4] as const, [1, 3] as const, [5, 2.5] as const, [7, 2] as const, [3, 1] as const],
  ])
  expect([...merged.counts]).toEqual([51, 0])
})

test('no more are kept than are wanted, in whatever order buckets are read', () => {
  const buckets = Array.from({ length: 8 }, (_, bucket) =>
    rows(
      Object.fromEntries(
        Array.from({ length: ANSWER_DEPTH }, (_, i) => [8 * i + bucket, (8 * i + bucket) % 50]),
      ),
    ),
  )
  const merged = mergedAnswers(buckets, [], 2)
  expect(merged.low.length).toBe(ANSWER_DEPTH)
  expect(seen(mergedAnswers(buckets.toReversed(), [], 2))).toEqual(seen(merged))
  const all = buckets.flatMap(seen).sort(([a, x], [b, y]) => y - x || a - b)
  expect(seen(merged)).toEqual(all.slice(0, ANSWER_DEPTH))
})
