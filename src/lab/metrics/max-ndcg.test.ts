import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Judgment } from '#workload/workload.ts'
import { GRADED_GAINS, LINEAR_GAINS, maxNdcg } from './max-ndcg.ts'

const judged = (queryId: string, grades: Record<string, number>): Judgment[] =>
  Object.entries(grades).map(([url, grade]) => ({ queryId, url, grade }))

const threePages = judged('q', { perfect: 4, good: 2, fair: 1, bad: 0 })

test('pages with gains 31, 7 and 3: without the best a quarter is left, without the middle most', () => {
  const without = (missing: string) => maxNdcg(threePages, (url) => url !== missing).mean
  expect(without('none')).toBe(1)
  expect(without('perfect')).toBeCloseTo(0.24089, 5)
  expect(without('good')).toBeCloseTo(0.891, 5)
  expect(without('bad')).toBe(1)
})

test('queries that nothing could answer are dropped, and counted', () => {
  const judgments = [...threePages, ...judged('hopeless', { a: 0, b: 0 })]
  expect(maxNdcg(judgments, () => false)).toEqual({ mean: 0, queries: 1, dropped: 1 })
  expect(maxNdcg(judged('q', { a: 0 }), () => true).mean).toBeUndefined()
})

test('a page judged twice counts once, with its better grade', () => {
  const twice = [...judged('q', { a: 1, b: 3 }), ...judged('q', { a: 4 })]
  expect(maxNdcg(twice, (url) => url === 'a')).toEqual(
    maxNdcg(judged('q', { a: 4, b: 3 }), (url) => url === 'a'),
  )
})

/** The best DCG@10 of any order of the gains, found by trying: put the next best page next. */
function bestGain(gains: readonly number[]): number {
  const left = [...gains]
  let total = 0
  for (let rank = 1; rank <= 10 && left.length > 0; rank++) {
    const best = Math.max(...left)
    left.splice(left.indexOf(best), 1)
    total += best / Math.log(1 + rank)
  }
  return total
}

test.each([
  ['graded', GRADED_GAINS],
  ['linear', LINEAR_GAINS],
])('a naive twin agrees, with %s gains', (_, gains) => {
  const grades = fc.dictionary(fc.string(), fc.integer({ min: 0, max: 4 }), { maxKeys: 14 })
  fc.assert(
    fc.property(fc.array(grades, { maxLength: 5 }), fc.func(fc.boolean()), (queries, isHeld) => {
      const judgments = queries.flatMap((query, number) => judged(String(number), query))
      const scores: number[] = []
      for (const query of queries) {
        const ideal = bestGain(Object.values(query).map((grade) => gains[grade]))
        const held = Object.entries(query).filter(([url]) => isHeld(url))
        if (ideal > 0) scores.push(bestGain(held.map(([, grade]) => gains[grade])) / ideal)
      }
      const { mean, queries: counted } = maxNdcg(judgments, isHeld, gains)
      expect(counted).toBe(scores.length)
      if (scores.length > 0)
        expect(mean).toBeCloseTo(scores.reduce((a, b) => a + b) / scores.length, 12)
    }),
  )
})
