import fc from 'fast-check'
import { expect, test } from 'vitest'
import { GainCurve } from '#search/gain/gain-curve.test-kit.ts'
import { powerVisibility, topVisibility, type Visibility } from '#search/gain/visibility.ts'
import { queryQuality, repositoryQuality, type ScoredQuery } from './repository-quality.test-kit.ts'

/** Stored and live score by page, which is the place in the list. */
const asked = (scores: readonly (readonly [number, number])[], weight = 1): ScoredQuery => ({
  weight,
  pages: scores.map((_, page) => page),
  storedScores: scores.map(([stored]) => stored),
  liveScores: scores.map(([, live]) => live),
})

/** What a refresh of one page adds, when the copies of the others are current. */
function refreshGain(others: readonly number[], stored: number, live: number): number {
  const current = others.map((score) => [score, score] as const)
  const before = queryQuality(asked([...current, [stored, live]]), powerVisibility)
  const after = queryQuality(asked([...current, [live, live]]), powerVisibility)
  return after.earned - before.earned
}

test.each([
  [9, 4, 0.711863],
  [4, 9, 0.430904],
  [0, 9, 1.449232],
  [9, 0, 1.732749],
  [9, 9.5, 0],
  [4, 2, 0.035557],
])('among scores 10, 8, 5 and 3, a score of %d found to be %d gains %d', (stored, live, gain) => {
  expect(refreshGain([10, 8, 5, 3], stored, live)).toBeCloseTo(gain, 6)
})

test('a gain curve foretells what a refresh adds', () => {
  const score = fc.integer({ min: 1, max: 1000 })
  const ofPage = fc.oneof(fc.constant(0), score)
  fc.assert(
    fc.property(fc.array(score), ofPage, ofPage, (others, stored, live) => {
      const curve = GainCurve.from(Float64Array.from(others).sort().reverse(), powerVisibility)
      const gain = refreshGain(others, stored, live)
      expect(gain).toBeCloseTo(curve.gain(stored, live), 8)
    }),
  )
})

test('a page that is gone keeps its rank and earns nothing', () => {
  const withGone = repositoryQuality(
    [
      asked([
        [9, 0],
        [4, 4],
      ]),
    ],
    topVisibility(1),
  )
  expect(withGone).toMatchObject({ quality: 0, earned: Float64Array.of(0) })
})

test('of equal stored scores the lower page number goes first', () => {
  const query = { weight: 1, pages: [8, 3], storedScores: [5, 5], liveScores: [1, 2] }
  expect(queryQuality(query, topVisibility(1))).toEqual({ earned: 2, ideal: 2 })
})

test('queries count by how often they are asked; a web that answers none has no quality', () => {
  const right = asked([[1, 1]], 3)
  const wrong = asked([[0, 1]], 1)
  expect(repositoryQuality([right, wrong]).quality).toBe(0.75)
  expect(repositoryQuality([asked([[4, 0]])]).quality).toBeUndefined()
})

/** Finds each page's rank by counting the pages before it. */
function naive(queries: readonly ScoredQuery[], visibility: Visibility, byLive: boolean): number {
  let sum = 0
  for (const { weight, pages, storedScores, liveScores } of queries) {
    const scores = Array.from(byLive ? liveScores : storedScores)
    scores.forEach((score, i) => {
      const before = scores.filter(
        (other, j) => other > score || (other === score && pages[j] < pages[i]),
      )
      if (score > 0) sum += weight * visibility(before.length + 1) * liveScores[i]
    })
  }
  return sum
}

test.each([
  ['step', topVisibility(2)],
  ['power', powerVisibility],
])('a naive twin agrees, and quality is between 0 and 1, with %s visibility', (_, visibility) => {
  const score = fc.integer({ min: 0, max: 6 })
  const query = fc
    .tuple(fc.array(fc.tuple(score, score), { maxLength: 12 }), fc.nat(9))
    .map(([scores, weight]) => asked(scores, weight))
  fc.assert(
    fc.property(fc.array(query, { maxLength: 5 }), (queries) => {
      const { quality } = repositoryQuality(queries, visibility)
      const ideal = naive(queries, visibility, true)
      if (quality === undefined) expect(ideal).toBe(0)
      else {
        expect(quality).toBeCloseTo(naive(queries, visibility, false) / ideal, 12)
        expect(quality).toBeGreaterThanOrEqual(0)
        expect(quality).toBeLessThan(1 + 1e-12)
      }
    }),
  )
})
