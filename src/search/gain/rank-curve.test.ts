import { expect, test } from 'vitest'
import { type Random, seededRandom } from '#numeric/random.ts'
import { GainCurve } from './gain-curve.test-kit.ts'
import { RankCurve } from './rank-curve.ts'
import { powerVisibility } from './visibility.ts'

/** Scores that fall about as a power of the rank, with some noise, as result lists do. */
function powerLaw(random: Random, noise = 0.15): number[] {
  const count = 50 + random.below(2950)
  const exponent = 0.4 + 0.8 * random.next()
  const scores = Array.from(
    { length: count },
    (_, i) => (i + 1) ** -exponent * Math.exp(noise * random.normal()),
  )
  return scores.sort((a, b) => b - a)
}

/** Moves of a list that are compared: lists take long to make. */
const MOVES = 20

/** Random moves up, down, in and out of lists: what the curve says beside the truth. */
function comparedMoves(seed: number, lists: number): { approximate: number; exact: number }[] {
  const random = seededRandom(seed)
  return Array.from({ length: lists }, () => {
    const scores = powerLaw(random)
    const curve = new RankCurve(scores)
    const truth = GainCurve.from(scores, powerVisibility)
    const anyScore = () =>
      random.chance(0.1)
        ? 0
        : scores[Math.floor(Math.exp(random.next() * Math.log(scores.length)))] * 1.0001
    return Array.from({ length: MOVES }, () => {
      const [stored, deserved] = [anyScore(), anyScore()]
      return { approximate: curve.gain(stored, deserved), exact: truth.gain(stored, deserved) }
    })
  })
    .flat()
    .filter(({ exact }) => exact > 1e-9)
}

function rankCorrelation(pairs: readonly { approximate: number; exact: number }[]): number {
  const ranksBy = (key: 'approximate' | 'exact') => {
    const order = pairs.map((_, i) => i).sort((a, b) => pairs[a][key] - pairs[b][key])
    const ranks = new Array<number>(pairs.length)
    order.forEach((pair, rank) => {
      ranks[pair] = rank
    })
    return ranks
  }
  const [first, second] = [ranksBy('approximate'), ranksBy('exact')]
  const mean = (pairs.length - 1) / 2
  const covariance = first.reduce((sum, rank, i) => sum + (rank - mean) * (second[i] - mean), 0)
  const variance = first.reduce((sum, rank) => sum + (rank - mean) ** 2, 0)
  return covariance / variance
}

test('its gains rank fetches nearly as the exact ones do, and hardly ever fall below zero', () => {
  const pairs = comparedMoves(11, 3000 / MOVES)
  expect(pairs.length).toBeGreaterThan(2000)
  expect(rankCorrelation(pairs)).toBeGreaterThan(0.95)
  expect(pairs.filter(({ approximate }) => approximate < 0).length / pairs.length).toBeLessThan(
    0.01,
  )
})

test.each(['gain', 'gainOfResult'] as const)(
  'where scores fall as a power of the rank, %s is exact but for what a sum differs from its integral',
  (gain) => {
    const random = seededRandom(12)
    for (let list = 0; list < 20; list++) {
      const scores = powerLaw(random, 0)
      const [curve, truth] = [new RankCurve(scores), GainCurve.from(scores, powerVisibility)]
      const place = () => Math.floor(Math.exp(random.next() * Math.log(scores.length)))
      for (let move = 0; move < MOVES; move++) {
        // A page that is no result has a score of its own.
        const stored = random.chance(0.1) ? 0 : scores[place()] * (gain === 'gain' ? 0.99999 : 1)
        const deserved = random.chance(0.1) ? 0 : scores[place()] * 1.00001
        const exact = truth[gain](stored, deserved)
        const found = curve[gain](stored, deserved)
        expect(Math.abs(found - exact)).toBeLessThanOrEqual(0.02 * exact + 1e-4)
      }
    }
  },
)

test('up to four results nothing is approximate: moves up, down, in and out', () => {
  const lists = [
    [5],
    [5, 3],
    [5, 3, 2],
    [8, 5, 3, 1],
    [4, 4],
    [4, 4, 2.5],
    [6, 4, 4, 4],
    [6, 6, 4, 4],
  ]
  for (const scores of lists) {
    const curve = new RankCurve(scores)
    const exact = GainCurve.from(scores, powerVisibility)
    for (const truth of [0, 0.5, 2.5, 4, 6, 9]) {
      for (const stored of [0, ...scores])
        expect(curve.gainOfResult(stored, truth)).toBeCloseTo(exact.gainOfResult(stored, truth), 6)
      for (const stored of [0, 0.7, 2.7, 4.4, 7])
        expect(curve.gain(stored, truth)).toBeCloseTo(exact.gain(stored, truth), 6)
    }
  }
})

test('the worked examples of a list of four, with moves up, down, in and out', () => {
  const curve = new RankCurve([10, 8, 5, 3])
  const gains = [[9, 4], [4, 9], [0, 9], [9, 0], [9, 9.5], [4, 2]] // biome-ignore format: pairs
  const expected = [0.711863, 0.430904, 1.449232, 1.732749, 0, 0.035557]
  gains.forEach(([stored, truth], i) => {
    expect(curve.gain(stored, truth)).toBeCloseTo(expected[i], 6)
  })
})

test('ranks and scores are each other’s inverse at the knots', () => {
  const scores = Array.from({ length: 1000 }, (_, i) => 5 / (i + 1))
  const curve = new RankCurve(scores)
  for (const rank of [1, 10, 100, 1000]) expect(curve.scoreAt(rank)).toBeCloseTo(5 / rank, 6)
  expect(curve.rankOf(6)).toBe(1)
  expect(curve.rankOf(5)).toBe(2)
  expect(curve.rankOf(5 / 100.5)).toBe(101)
  expect(curve.rankOf(0.0001)).toBe(1001)
})

test('scores that all tie are no obstacle', () => {
  const curve = new RankCurve(new Array(500).fill(3))
  expect(curve.rankOf(3.1)).toBe(1)
  expect(curve.rankOf(3)).toBe(501)
  expect(Number.isFinite(curve.gain(3.1, 2))).toBe(true)
})

test('a query without results, or with one, has a curve too', () => {
  expect(new RankCurve([]).gain(0, 4)).toBe(4)
  expect(new RankCurve([]).rankOf(4)).toBe(1)
  expect(new RankCurve([2]).scoreAt(3)).toBeCloseTo(2, 12)
  expect(new RankCurve([2]).rankOf(3)).toBe(1)
  expect(new RankCurve([2]).rankOf(1)).toBe(2)
})
