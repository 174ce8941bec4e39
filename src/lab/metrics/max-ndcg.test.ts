import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Judgment } from '#workload/workload.ts'
import { GRADED_GAINS, LINEAR_GAINS, prepareJudgments } from './max-ndcg.ts'

const judged = (queryId: string, grades: Record<string, number>): Judgment[] =>
  Object.entries(grades).map(([url, grade]) => ({ queryId, url, grade }))

/** One look at judgments, with URLs as they are. */
function maxNdcg(
  judgments: readonly Judgment[],
  isHeld: (url: string) => boolean,
  gains: readonly number[] = GRADED_GAINS,
) {
  const urls = [...new Set(judgments.map(({ url }) => url))]
  const prepared = prepareJudgments(judgments, (url) => urls.indexOf(url), { gains })
  const { mean } = prepared.maxNdcgOf((url) => isHeld(urls[url]))
  return { mean, queries: prepared.queryIds.length, dropped: prepared.dropped }
}

const threePages = judged('q', { perfect: 4, good: 2, fair: 1, bad: 0 })

test('pages with gains 31, 7 and 3: without the best a quarter is left, without the middle most', () => {
  const without = (missing: string) => maxNdcg(threePages, (url) => url !== missing).mean
  expect(without('none')).toBe(1)
  expect(without('perfect')).toBeCloseTo(0.24089, 5)
  expect(without('good')).toBeCloseTo(0.891, 5)
  expect(without('bad')).toBe(1)
})

test('gains and cutoff are those of the paper: 0, 3, 7, 15, 31, and ten results', () => {
  expect(GRADED_GAINS).toEqual([0, 3, 7, 15, 31])
  const eleven = judged('q', Object.fromEntries(Array.from('abcdefghijk', (url) => [url, 4])))
  const prepared = prepareJudgments(eleven, (url) => url.charCodeAt(0))
  const withoutLast = (last: string) => prepared.maxNdcgOf((url) => url < last.charCodeAt(0)).mean
  expect(withoutLast('k')).toBe(1)
  expect(withoutLast('j')).toBeLessThan(1)
})

test('queries that nothing could answer are dropped, and counted', () => {
  const judgments = [...threePages, ...judged('hopeless', { a: 0, b: 0 })]
  expect(maxNdcg(judgments, () => false)).toEqual({ mean: 0, queries: 1, dropped: 1 })
  expect(maxNdcg(judged('q', { a: 0 }), () => true).mean).toBeUndefined()
})

test('a page judged more than once counts once, with its best grade', () => {
  const thrice = [
    ...judged('q', { a: 1, b: 3 }),
    ...judged('q', { a: 4 }),
    ...judged('q', { a: 2 }),
  ]
  expect(maxNdcg(thrice, (url) => url === 'a')).toEqual(
    maxNdcg(judged('q', { a: 4, b: 3 }), (url) => url === 'a'),
  )
})

test('a judged page that nobody knows counts in the ideal, and no set of pages holds it', () => {
  const numbers = new Map([
    ['good', 0],
    ['fair', 1],
  ])
  const judged = prepareJudgments(threePages, (url) => numbers.get(url))
  expect(judged.maxNdcgOf(() => true).mean).toBeCloseTo(0.24089, 5)
})

test('three URLs of one page are one judged page', () => {
  const judgments = judged('q', { 'a?x=1': 2, a: 4, 'a?x=2': 1, b: 3 })
  const prepared = prepareJudgments(judgments, (url) => url.charCodeAt(0))
  expect(prepared.maxNdcgOf(() => true).mean).toBe(1)
  const withoutA = maxNdcg(judged('q', { a: 4, b: 3 }), (url) => url === 'b').mean
  expect(prepared.maxNdcgOf((url) => url === 98).mean).toBe(withoutA)
})

test('a grade without a gain is our mistake', () => {
  expect(() => maxNdcg(judged('q', { a: 5 }), () => true)).toThrow('grade 5')
})

/** The best DCG of any order of the gains, found by trying: put the next best page next. */
function bestGain(gains: readonly number[], cutoff = 10): number {
  const left = [...gains]
  let total = 0
  for (let rank = 1; rank <= cutoff && left.length > 0; rank++) {
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

test('asked again and again, prepared judgments give for each query what a naive twin does', () => {
  const grades = fc.dictionary(fc.string({ maxLength: 1 }), fc.integer({ min: 0, max: 4 }))
  const cutoff = fc.integer({ min: 1, max: 5 })
  const sets = fc.array(fc.func(fc.boolean()), { maxLength: 3 })
  fc.assert(
    fc.property(fc.array(grades, { maxLength: 4 }), sets, cutoff, (queries, sets, cutoff) => {
      const judgments = queries.flatMap((query, number) => judged(String(number), query))
      const isKnown = (url: string) => url < 'm'
      const numberOf = (url: string) => (isKnown(url) ? (url.codePointAt(0) ?? 0) : undefined)
      const prepared = prepareJudgments(judgments, numberOf, { gains: LINEAR_GAINS, cutoff })
      const answerable = queries.flatMap((query, number) =>
        Object.values(query).some((grade) => grade > 0) ? [number] : [],
      )
      expect(prepared.queryIds).toEqual(answerable.map(String))
      for (const isHeld of sets) {
        const naive = answerable.map((number) => {
          const pages = Object.entries(queries[number])
          const held = pages.filter(([url]) => isKnown(url) && isHeld(numberOf(url)))
          const gainsOf = (pages: readonly [string, number][]) => pages.map(([, grade]) => grade)
          return bestGain(gainsOf(held), cutoff) / bestGain(gainsOf(pages), cutoff)
        })
        const { perQuery, mean } = prepared.maxNdcgOf((url) => isHeld(url))
        naive.forEach((score, i) => {
          expect(perQuery[i]).toBeCloseTo(score, 12)
        })
        const sum = naive.reduce((a, b) => a + b, 0)
        if (mean === undefined) expect(naive).toEqual([])
        else expect(mean).toBeCloseTo(sum / naive.length, 12)
      }
    }),
  )
})
