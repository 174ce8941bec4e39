import fc from 'fast-check'
import { expect, test } from 'vitest'
import { seededRandom, WeightedSampler, zipfWeights } from './random.ts'

const SAMPLES = 100_000

function meanOf(draw: () => number): number {
  let sum = 0
  for (let i = 0; i < SAMPLES; i++) sum += draw()
  return sum / SAMPLES
}

test('a seed always gives the same numbers', () => {
  const random = seededRandom(7)
  expect([random.next(), random.below(1000), random.normal(), random.poisson(3)]).toEqual([
    0.6511006809485681, 970, -0.8607007581226075, 6,
  ])
})

test('different seeds, also beyond 32 bits, give different numbers', () => {
  const seeds = [0, 1, 2, -1, 2 ** 32, 2 ** 33, 2 ** 52]
  const firsts = seeds.map((seed) => seededRandom(seed).next())
  expect(new Set(firsts).size).toBe(7)
})

test('a fork does not depend on what was drawn before, only on its label', () => {
  const random = seededRandom(7)
  const early = random.fork('links').next()
  random.next()
  expect(random.fork('links').next()).toBe(early)
  expect(random.fork('hosts').next()).not.toBe(early)
})

test('forks of forks all differ', () => {
  const seen = new Set<number>()
  for (let page = 0; page < 5000; page++) {
    seen.add(seededRandom(1).fork(`page ${page}`).fork('text').next())
  }
  expect(seen.size).toBe(5000)
})

test('draws have the mean they promise', () => {
  const random = seededRandom(11)
  expect(meanOf(() => random.next())).toBeCloseTo(0.5, 2)
  expect(meanOf(() => random.below(11))).toBeCloseTo(5, 1)
  expect(meanOf(() => (random.chance(0.2) ? 1 : 0))).toBeCloseTo(0.2, 2)
  expect(meanOf(() => random.normal())).toBeCloseTo(0, 1)
  expect(meanOf(() => random.normal() ** 2)).toBeCloseTo(1, 1)
  expect(meanOf(() => random.exponential(2))).toBeCloseTo(2, 1)
  expect(meanOf(() => random.poisson(0.3))).toBeCloseTo(0.3, 1)
  expect(Math.abs(random.poisson(100_000) - 100_000)).toBeLessThan(2000)
  expect(random.poisson(0)).toBe(0)
})

test('whole numbers stay below their bound, and every one comes up', () => {
  const random = seededRandom(3)
  const seen = new Set(Array.from({ length: 500 }, () => random.below(6)))
  expect([...seen].sort()).toEqual([0, 1, 2, 3, 4, 5])
  expect(['a', 'b']).toContain(random.pick(['a', 'b']))
})

test('shuffling keeps every item', () => {
  fc.assert(
    fc.property(fc.integer(), fc.array(fc.integer()), (seed, items) => {
      const shuffled = seededRandom(seed).shuffle([...items])
      expect(shuffled.sort()).toEqual([...items].sort())
    }),
  )
})

test('a weighted sampler draws in proportion, and never what has no weight', () => {
  const sampler = new WeightedSampler([1, 2, 0, 5])
  const random = seededRandom(5)
  const counts = [0, 0, 0, 0]
  for (let i = 0; i < SAMPLES; i++) counts[sampler.sample(random)]++
  expect(counts[2]).toBe(0)
  expect(counts[0] / SAMPLES).toBeCloseTo(1 / 8, 2)
  expect(counts[1] / SAMPLES).toBeCloseTo(2 / 8, 2)
  expect(counts[3] / SAMPLES).toBeCloseTo(5 / 8, 2)
})

test('whatever the weights, only weighted indices are drawn', () => {
  const weight = fc.oneof(fc.constant(0), fc.double({ min: 1e-9, max: 1e9, noNaN: true }))
  fc.assert(
    fc.property(fc.array(weight, { minLength: 1 }), fc.integer(), (weights, seed) => {
      fc.pre(weights.some((w) => w > 0))
      const sampler = new WeightedSampler(weights)
      const random = seededRandom(seed)
      for (let i = 0; i < 50; i++) expect(weights[sampler.sample(random)]).toBeGreaterThan(0)
    }),
  )
})

test('weights without a sum are refused', () => {
  expect(() => new WeightedSampler([0, 0])).toThrow('sum above 0')
  expect(() => new WeightedSampler([])).toThrow('sum above 0')
})

test("Zipf's weights fall with the rank", () => {
  expect([...zipfWeights(3)]).toEqual([1, 1 / 2, 1 / 3])
})
