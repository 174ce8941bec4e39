import fc from 'fast-check'
import { expect, test } from 'vitest'
import { seededRandom } from '#numeric/random.ts'
import { differenceInterval, intervalText, meanInterval, meanIntervals } from './bootstrap.ts'

function noise(size: number, seed = 7): Float64Array {
  const random = seededRandom(seed)
  return Float64Array.from({ length: size }, () => random.normal())
}

/** Draws whole samples, measures each, sorts, and cuts off both ends. */
function naiveBounds(
  size: number,
  measure: (sample: number[]) => number,
  { seed, resamples, cut }: { seed: number; resamples: number; cut: number },
) {
  const { below } = seededRandom(seed)
  const measured = Array.from({ length: resamples }, () =>
    measure(Array.from({ length: size }, () => below(size))),
  )
    .filter(Number.isFinite)
    .sort((a, b) => a - b)
  return { low: measured[cut], high: measured[measured.length - 1 - cut] }
}

const mean = (values: ArrayLike<number>, sample: readonly number[]) =>
  sample.reduce((sum, i) => sum + values[i], 0) / sample.length

test('naive twins agree: means and differences', () => {
  const value = fc.double({ min: -100, max: 100, noNaN: true })
  const positive = fc.double({ min: 0.1, max: 100, noNaN: true })
  const pairs = fc.array(fc.tuple(value, positive), { minLength: 2, maxLength: 30 })
  fc.assert(
    fc.property(pairs, fc.nat(), (pairs, seed) => {
      const a = Float64Array.from(pairs, ([first]) => first)
      const b = Float64Array.from(pairs, ([, second]) => second)
      const options = { seed, resamples: 40, confidence: 0.7 }
      const bounds = (measure: (sample: number[]) => number) =>
        naiveBounds(a.length, measure, { seed, resamples: 40, cut: 6 })
      const difference = (sample: number[]) => mean(a, sample) - mean(b, sample)
      const everything = Array.from(a.keys())
      const expectAlike = (interval: typeof meanOfA, measure: (sample: number[]) => number) => {
        const { low, high } = bounds(measure)
        expect(interval!.estimate).toBeCloseTo(measure(everything), 9)
        expect(interval!.low).toBeCloseTo(low, 9)
        expect(interval!.high).toBeCloseTo(high, 9)
      }
      const meanOfA = meanInterval(a, options)
      expectAlike(meanOfA, (sample) => mean(a, sample))
      expectAlike(differenceInterval(a, b, options), difference)
      expect(meanIntervals([b, a], options)).toEqual([meanInterval(b, options), meanOfA])
    }),
  )
})

test('of a large sample the interval is the one of the normal distribution', () => {
  const { estimate, low = 0, high = 0 } = meanInterval(noise(2_000), { seed: 3 })!
  const halfWidth = 1.96 / Math.sqrt(2_000)
  for (const side of [high - estimate, estimate - low]) {
    expect(side).toBeGreaterThan(0.9 * halfWidth)
    expect(side).toBeLessThan(1.1 * halfWidth)
  }
})

test('about nine in ten intervals of nine tenths hold the truth', () => {
  const hits = Array.from({ length: 300 }, (_, seed) => {
    const { low = 1, high = 0 } = meanInterval(noise(40, seed), {
      seed,
      resamples: 200,
      confidence: 0.9,
    })!
    return low <= 0 && 0 <= high
  }).filter(Boolean)
  expect(hits.length).toBeGreaterThan(300 * 0.83)
  expect(hits.length).toBeLessThan(300 * 0.96)
})

test('what all queries share drops out of a paired difference', () => {
  const hard = noise(100)
  const better = hard.map((value) => value + 0.25)
  const { low, high } = differenceInterval(better, hard, { seed: 1 })!
  expect(low).toBeCloseTo(0.25, 9)
  expect(high).toBeCloseTo(0.25, 9)
})

test('the same seed gives the same interval, another seed another', () => {
  const values = noise(50)
  expect(meanInterval(values, { seed: 1 })).toEqual(meanInterval(values, { seed: 1 }))
  expect(meanInterval(values, { seed: 1 })).not.toEqual(meanInterval(values, { seed: 2 }))
})

test('nothing measured has no interval, and what does not pair has no difference', () => {
  expect(meanInterval(new Float64Array(), { seed: 1 })).toBeUndefined()
  expect(() => differenceInterval(noise(2), noise(3), { seed: 1 })).toThrow('do not pair')
})

test('a sample of one has no interval', () => {
  const alone = meanInterval(Float64Array.of(0.5), { seed: 1 })
  expect(alone).toEqual({ estimate: 0.5 })
  expect(intervalText(alone!)).toBe('0.500')
  expect(intervalText({ estimate: 0.5, low: 0.25, high: 1 })).toBe('0.500 (0.250 to 1.000)')
})
