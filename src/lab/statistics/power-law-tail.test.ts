import { expect, test } from 'vitest'
import { seededRandom, WeightedSampler } from '#numeric/random.ts'
import { powerLawTail } from './power-law-tail.ts'

test.each([1.6, 2.1, 3])('the exponent %d is found again in a sample', (exponent) => {
  const from = 5
  const random = seededRandom(3)
  // Whole numbers of at least 5; the far end is drawn from the continuous law.
  const far = 100_000
  const weights = Float64Array.from({ length: far - from }, (_, k) => (k + from) ** -exponent)
  const rest = far ** (1 - exponent) / (exponent - 1)
  const sampler = new WeightedSampler([...weights, rest])
  const sample = Array.from({ length: 20_000 }, () => {
    const drawn = sampler.sample(random)
    if (drawn < weights.length) return drawn + from
    return Math.floor(far * (1 - random.next()) ** (-1 / (exponent - 1)))
  })
  const tail = powerLawTail([...sample, 1, 2, 3, 4], from)
  expect(tail?.size).toBe(20_000)
  expect(Math.abs(tail!.exponent - exponent)).toBeLessThan(4 * tail!.standardError)
  expect(tail!.standardError).toBeLessThan(0.02)
})

test('far from 0 the exponent is 1 + n / Σ ln(k / (from − ½)), and its error (exponent − 1) / √n', () => {
  for (const value of [1074, 2000]) {
    const expected = 1 + 1 / Math.log(value / 999.5)
    const tail = powerLawTail([value, value, value, value], 1000)!
    expect(tail.exponent / expected).toBeCloseTo(1, 3)
    expect(tail.standardError / ((expected - 1) / 2)).toBeCloseTo(1, 2)
  }
  expect(powerLawTail([1074, 1074], 1000)?.size).toBe(2)
})

test('a tail without spread has no exponent', () => {
  expect(powerLawTail([], 5)).toBeUndefined()
  expect(powerLawTail([5, 5, 5], 5)).toBeUndefined()
  expect(powerLawTail([1, 2, 900], 5)).toBeUndefined()
})
