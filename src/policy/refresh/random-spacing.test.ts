import fc from 'fast-check'
import { expect, test } from 'vitest'
import { harmonicRates, randomFreshestRates } from './random-spacing.ts'

const sum = (values: ArrayLike<number>) => Array.from(values).reduce((a, b) => a + b, 0)
const pages = fc.array(
  fc.record({
    rate: fc.double({ min: 0.01, max: 20, noNaN: true }),
    weight: fc.double({ min: 0.01, max: 10, noNaN: true }),
  }),
  { minLength: 2, maxLength: 8 },
)
const budgets = fc.double({ min: 0.5, max: 10, noNaN: true })

type Page = { rate: number; weight: number }

function expectBest(
  allocate: typeof harmonicRates,
  worthOf: (page: Page, fetchRate: number) => number,
): void {
  fc.assert(
    fc.property(pages, budgets, (all, budget) => {
      const rates = allocate(
        all.map(({ rate }) => rate),
        all.map(({ weight }) => weight),
        budget,
      )
      expect(sum(rates)).toBeCloseTo(budget, 6)
      const worth = (fetches: ArrayLike<number>) =>
        sum(all.map((page, i) => worthOf(page, fetches[i])))
      const best = worth(rates)
      for (const [from] of all.entries())
        for (const [to] of all.entries()) {
          const moved = Float64Array.from(rates)
          const some = Math.min(moved[from] / 2, budget / 50)
          moved[from] -= some
          moved[to] += some
          expect(worth(moved)).toBeLessThanOrEqual(best + 1e-9 * (1 + Math.abs(best)))
        }
    }),
    { numRuns: 60 },
  )
}

test('random fetches keep the most weight fresh at these rates', () => {
  expectBest(
    randomFreshestRates,
    ({ rate, weight }, fetchRate) => (weight * fetchRate) / (fetchRate + rate),
  )
})

test('harmonic staleness is least at these rates', () => {
  expectBest(harmonicRates, ({ rate, weight }, fetchRate) =>
    fetchRate === 0 ? Number.NEGATIVE_INFINITY : -weight * Math.log((rate + fetchRate) / fetchRate),
  )
})

test('by freshness a page that changes too fast is given up, by harmonic staleness never', () => {
  expect(randomFreshestRates([1, 1000], [1, 1], 2)[1]).toBe(0)
  expect(harmonicRates([1, 1000], [1, 1], 2)[1]).toBeGreaterThan(0)
})

test('pages that nobody sees, or that never change, get nothing', () => {
  for (const allocate of [harmonicRates, randomFreshestRates]) {
    expect([...allocate([2, 0, 2], [0, 1, 1], 3)]).toEqual([0, 0, expect.closeTo(3, 6)])
    expect([...allocate([2, 1], [0, 0], 3)]).toEqual([0, 0])
  }
})
