import fc from 'fast-check'
import { expect, test } from 'vitest'
import { archiveOf } from '#archive/format/assemble-archive.ts'
import { RecordedWeb } from '#archive/recorded-web.ts'
import { AnswerTruth } from '../../judging/answer-truth.ts'
import { generateModelWeb } from '../../model-web/generate.ts'
import { importanceAndImpact, pearson } from './importance-and-impact.ts'
import { importanceOf } from './ordering-settings.ts'

test('correlation is 1 along a line, -1 against it, and unknown for a constant', () => {
  const xs = Float64Array.of(1, 2, 5)
  expect(pearson(xs, Float64Array.of(12, 14, 20))).toBeCloseTo(1, 12)
  expect(pearson(xs, Float64Array.of(-1, -2, -5))).toBeCloseTo(-1, 12)
  expect(pearson(xs, Float64Array.of(3, 3, 3))).toBeUndefined()
})

test('correlation does not change when either side is shifted or scaled', () => {
  const value = fc.integer({ min: -50, max: 50 })
  fc.assert(
    fc.property(fc.array(fc.tuple(value, value), { minLength: 2, maxLength: 20 }), (pairs) => {
      const xs = Float64Array.from(pairs, ([x]) => x)
      const ys = Float64Array.from(pairs, ([, y]) => y)
      const r = pearson(xs, ys)
      if (r === undefined) return
      expect(Math.abs(r)).toBeLessThanOrEqual(1 + 1e-9)
      expect(
        pearson(
          xs.map((x) => 3 * x + 7),
          ys,
        ),
      ).toBeCloseTo(r, 6)
    }),
  )
})

test('buckets of rising importance hold all pages and all impact', () => {
  const records = generateModelWeb({ seed: 5, pages: 700, weeks: 2 })
  const truth = new AnswerTruth(new RecordedWeb(archiveOf(records), 1), records.workload!.queries)
  const rows = importanceAndImpact(truth, importanceOf(truth), 3)
  const weights = Float64Array.from(truth.queries, ({ weight }) => weight)
  const amongFirstThree = truth.impacts(weights, (rank) => (rank < 4 ? 1 : 0))
  expect(rows.map(({ importance }) => importance)).toEqual(['pagerank', 'indegree'])
  for (const { buckets, correlation, points } of rows) {
    expect(buckets.reduce((sum, { pages }) => sum + pages, 0)).toBe(truth.pages.length)
    buckets.slice(1).forEach(({ meanImportance }, i) => {
      expect(meanImportance).toBeGreaterThanOrEqual(buckets[i].meanImportance)
    })
    expect(buckets.some(({ meanImpact }) => meanImpact > 0)).toBe(true)
    // So few pages are all drawn: their mean is that of the buckets.
    const impacts = points.reduce((sum, [, impact]) => sum + impact, 0)
    const ofBuckets = buckets.reduce((sum, one) => sum + one.pages * one.meanImpact, 0)
    expect(points.length).toBe(truth.pages.length)
    expect(impacts).toBeCloseTo(ofBuckets, 6)
    expect(impacts).toBeCloseTo(
      amongFirstThree.reduce((sum, impact) => sum + impact, 0),
      6,
    )
    expect(correlation).toBeGreaterThan(-1)
  }
})
