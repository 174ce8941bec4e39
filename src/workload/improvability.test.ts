import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { seededRandom } from '#numeric/random.ts'
import {
  averageTopScore,
  fitImprovability,
  PastProgress,
  priorImprovability,
  progressOf,
  type QueryProgress,
} from './improvability.ts'
import { findNeedyQueries } from './needy.ts'

test('missing results count as zero in the average', () => {
  expect(averageTopScore([6, 4])).toBe(1)
  expect(averageTopScore([])).toBe(0)
  expect(averageTopScore(new Array(30).fill(2))).toBe(2)
})

test('only top results that were not there before are new', () => {
  const results = (...urls: number[]) => urls.map((url) => ({ url, score: 5 }))
  expect(progressOf(results(1, 2, 3), results(9, 3, 8, 7))).toEqual({
    averageScore: 1.5,
    newResults: 3,
  })
  expect(progressOf(results(1, 2, 3), results(1, 3, 7), 2)).toEqual({
    averageScore: 5,
    newResults: 1,
  })
})

/** Queries of past cycles whose improvement follows a law, with some noise. */
function pastCycles(law: (score: number) => number, count = 2000): QueryProgress[] {
  const random = seededRandom(7)
  return Array.from({ length: count }, () => {
    const averageScore = random.next() < 0.2 ? 0 : 5 * random.next()
    const expected = law(averageScore)
    return {
      averageScore,
      newResults: Math.floor(expected) + (random.next() < expected % 1 ? 1 : 0),
    }
  })
}

describe('what is learnt from past cycles', () => {
  test('an exponential law is found again', () => {
    const law = (score: number) => 6 * Math.exp(-0.8 * score)
    const learnt = fitImprovability(pastCycles(law))!
    expect(learnt.form).toBe('log-linear in the score')
    expect(learnt.observations).toBe(2000)
    for (const score of [0, 0.5, 1, 2, 4])
      expect(Math.abs(learnt.of(score) - law(score))).toBeLessThan(0.5)
  })

  test('a law in the logarithm of the score is found again', () => {
    const law = (score: number) => Math.max(0, 3 - 1.2 * Math.log(score + 0.15))
    const learnt = fitImprovability(pastCycles(law))!
    expect(learnt.form).toBe('linear in the log of the score')
    for (const score of [0.5, 1, 3])
      expect(Math.abs(learnt.of(score) - law(score))).toBeLessThan(0.6)
  })

  test('where queries with better answers gained more, they are expected to', () => {
    const law = (score: number) => 0.5 * Math.exp(0.5 * score)
    const learnt = fitImprovability(pastCycles(law))!
    for (const score of [1, 2, 4]) expect(Math.abs(learnt.of(score) - law(score))).toBeLessThan(0.5)
  })

  /** Many queries of three scores, which always gain the same; as many in either half. */
  const alwaysGaining = (newResults: readonly [number, number, number]) =>
    [1, 2, 4].flatMap((averageScore, i) =>
      Array.from({ length: [60, 40, 20][i] }, () => ({ averageScore, newResults: newResults[i] })),
    )

  /** Least squares by the normal equations; the three points weigh 60, 40 and 20. */
  function lineThrough(xs: readonly number[], ys: readonly number[]): (x: number) => number {
    const sum = (of: (i: number) => number) => 60 * of(0) + 40 * of(1) + 20 * of(2)
    const [sx, sy] = [sum((i) => xs[i]), sum((i) => ys[i])]
    const [sxx, sxy] = [sum((i) => xs[i] ** 2), sum((i) => xs[i] * ys[i])]
    const slope = (120 * sxy - sx * sy) / (120 * sxx - sx * sx)
    return (x) => (sy - slope * sx) / 120 + slope * x
  }

  test('the log-linear line by hand: half of the least improvement is added before the logarithm', () => {
    const learnt = fitImprovability(alwaysGaining([8, 3, 1]))!
    const line = lineThrough([1, 2, 4], [8.5, 3.5, 1.5].map(Math.log))
    expect(learnt.form).toBe('log-linear in the score')
    for (const score of [1, 2, 3, 4])
      expect(learnt.of(score)).toBeCloseTo(Math.exp(line(score)) - 0.5, 9)
  })

  test('the line on the log of the score by hand: half of the least score is added', () => {
    const learnt = fitImprovability(alwaysGaining([8, 5, 3]))!
    const line = lineThrough([1.5, 2.5, 4.5].map(Math.log), [8, 5, 3])
    expect(learnt.form).toBe('linear in the log of the score')
    for (const score of [1, 2, 3, 4])
      expect(learnt.of(score)).toBeCloseTo(line(Math.log(score + 0.5)), 9)
  })

  test('queries of one score tell of one number for all', () => {
    const past = Array.from({ length: 60 }, () => ({ averageScore: 2, newResults: 3 }))
    for (const score of [0, 2, 9]) expect(fitImprovability(past)!.of(score)).toBeCloseTo(3, 9)
  })

  test('the form is the one that tells the other half better, not the one that fits its own half better', () => {
    const halves = [[7, 5, 2, 1, 1], [7, 2, 2, 2, 0]] // biome-ignore format: new results by score
    const learntFrom = (training: readonly number[], heldOut: readonly number[]) =>
      fitImprovability(
        Array.from({ length: 12 }, () =>
          [0.5, 1, 2, 3, 4].flatMap((averageScore, i) => [
            { averageScore, newResults: training[i] },
            { averageScore, newResults: heldOut[i] },
          ]),
        ).flat(),
      )!.form
    for (const half of halves) expect(learntFrom(half, half)).toBe('linear in the log of the score')
    expect(learntFrom(halves[0], halves[1])).toBe('log-linear in the score')
  })

  test('never less than nothing is promised, nor more than ten, and all along or all against the score', () => {
    const progress = fc.record({
      averageScore: fc.double({ min: 0, max: 100, noNaN: true }),
      newResults: fc.nat(10),
    })
    fc.assert(
      fc.property(fc.array(progress, { minLength: 50, maxLength: 200 }), (past) => {
        const learnt = fitImprovability(past)
        if (!learnt) return
        const values = [0, 0.1, 1, 5, 20, 100, 1e6].map(learnt.of)
        for (const value of values) {
          expect(value).toBeGreaterThanOrEqual(0)
          expect(value).toBeLessThanOrEqual(10)
        }
        const rising = values.toSorted((x, y) => x - y)
        expect([rising, rising.toReversed()]).toContainEqual(values)
      }),
    )
  })

  test('a few cycles, or cycles that brought nothing, teach nothing', () => {
    expect(fitImprovability(pastCycles(() => 3, 49))).toBeUndefined()
    expect(fitImprovability(pastCycles(() => 3, 50))).toBeDefined()
    expect(fitImprovability(pastCycles(() => 0))).toBeUndefined()
  })
})

test('before anything was seen, a query without answers may hope for all ten places', () => {
  const prior = priorImprovability([0, 2, 4])
  expect(prior.form).toBe('prior')
  expect(prior.of(0)).toBe(10)
  expect(prior.of(3)).toBeCloseTo(10 / Math.E)
  expect(prior.observations).toBe(0)
  expect(priorImprovability([0, 2]).of(2)).toBeCloseTo(10 / Math.E)
  expect(priorImprovability([0, 0]).of(0)).toBe(10)
})

test('where searchers look at K results, no more than K can be new', () => {
  expect(priorImprovability([2], 3).of(0)).toBe(3)
  const past = Array.from({ length: 100 }, (_, i) =>
    i % 2 === 0 ? { averageScore: 1, newResults: 3 } : { averageScore: 2, newResults: 1 },
  )
  // The line through both goes on to 9 at a score of 0.
  expect(fitImprovability(past, 10)!.of(0)).toBeGreaterThan(3)
  expect(fitImprovability(past, 3)!.of(0)).toBe(3)
})

test('needy queries are asked often and answered badly', () => {
  const queries = [
    { id: '1', text: 'well served', weight: 100 },
    { id: '2', text: 'rare', weight: 1 },
    { id: '3', text: 'wanted', weight: 20 },
  ]
  const averages = [6, 0, 0.5]
  const needy = findNeedyQueries(queries, averages, priorImprovability(averages))
  expect(needy.map(({ query }) => query.text)).toEqual(['wanted', 'well served', 'rare'])
  expect(needy[0].neediness).toBeCloseTo(20 * needy[0].improvability)
  expect(findNeedyQueries(queries, averages, priorImprovability(averages), 0.3)).toHaveLength(1)
})

const results = (...urls: number[]) => urls.map((url) => ({ url, score: 6 }))

test('what a plan did for a query is told by its first K results at the next one', () => {
  const past = new PastProgress(2)
  expect(past.at([{ text: 'otter', top: results(1) }])).toEqual([])
  const later = [
    { text: 'otter', top: results(7, 1, 8) }, // 7 is new, 8 is not among the first two
    { text: 'newt', top: results(3) }, // asked for the first time
  ]
  expect(past.at(later)).toEqual([{ averageScore: 3, newResults: 1 }])
  expect(past.at(later)).toEqual([
    { averageScore: 3, newResults: 1 },
    { averageScore: 6, newResults: 0 },
    { averageScore: 3, newResults: 0 },
  ])
})

test('old plans are forgotten, and what was seen elsewhere is not', () => {
  const earlier = { averageScore: 1, newResults: 9 }
  const past = new PastProgress(10, [earlier])
  for (let plan = 0; plan < 30; plan++) past.at([{ text: 'otter', top: results(plan) }])
  const known = past.at([{ text: 'otter', top: results(30) }])
  expect(known[0]).toEqual(earlier)
  expect(known.length).toBe(11)
})
