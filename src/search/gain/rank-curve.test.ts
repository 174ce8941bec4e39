import { expect, test } from 'vitest'
import { type Random, seededRandom } from '#numeric/random.ts'
import { GainCurve } from './gain-curve.ts'
import { RankCurve } from './rank-curve.ts'
import { powerVisibility } from './visibility.ts'

/** Scores that fall about as a power of the rank, with some noise, as result lists do. */
function noisyPowerLaw(random: Random): number[] {
  const count = 50 + random.below(2950)
  const exponent = 0.4 + 0.8 * random.next()
  const scores = Array.from(
    { length: count },
    (_, i) => (i + 1) ** -exponent * Math.exp(0.15 * random.normal()),
  )
  return scores.sort((a, b) => b - a)
}

/** Random moves up, down, in and out of the list: what the curve says beside the truth. */
function comparedMoves(seed: number, moves: number): { approximate: number; exact: number }[] {
  const random = seededRandom(seed)
  return Array.from({ length: moves }, () => {
    const scores = noisyPowerLaw(random)
    const anyScore = () =>
      random.chance(0.1)
        ? 0
        : scores[Math.floor(Math.exp(random.next() * Math.log(scores.length)))] * 1.0001
    const [stored, truth] = [anyScore(), anyScore()]
    return {
      approximate: new RankCurve(scores).gain(stored, truth),
      exact: GainCurve.from(scores, powerVisibility).gain(stored, truth),
    }
  }).filter(({ exact }) => exact > 1e-9)
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
  const pairs = comparedMoves(11, 3000)
  expect(pairs.length).toBeGreaterThan(2000)
  expect(rankCorrelation(pairs)).toBeGreaterThan(0.95)
  expect(pairs.filter(({ approximate }) => approximate < 0).length / pairs.length).toBeLessThan(
    0.01,
  )
})

test('ranks and scores are each other’s inverse at the knots', () => {
  const scores = Array.from({ length: 1000 }, (_, i) => 5 / (i + 1))
  const curve = new RankCurve(scores)
  for (const rank of [1, 10, 100, 1000]) expect(curve.scoreAt(rank)).toBeCloseTo(5 / rank, 6)
  expect(curve.rankOf(6)).toBe(1)
  expect(curve.rankOf(5 / 100.5)).toBe(101)
  expect(curve.rankOf(0.0001)).toBe(1001)
})

test('scores that all tie are no obstacle', () => {
  const curve = new RankCurve(new Array(500).fill(3))
  expect(curve.rankOf(3.1)).toBe(1)
  expect(Number.isFinite(curve.gain(3.1, 2))).toBe(true)
})

test('a query without results, or with one, has a curve too', () => {
  expect(new RankCurve([]).gain(0, 4)).toBe(4)
  expect(new RankCurve([2]).rankOf(3)).toBe(1)
  expect(new RankCurve([2]).rankOf(1)).toBe(2)
})
