import fc from 'fast-check'
import { expect, test } from 'vitest'
import { changesAtMargin, evenFreshness, freshestRates } from './even-spacing.ts'

const sum = (values: ArrayLike<number>) => Array.from(values).reduce((a, b) => a + b, 0)
const freshnessOf = (changes: readonly number[], fetches: ArrayLike<number>) =>
  sum(changes.map((rate, page) => evenFreshness(rate, fetches[page]))) / changes.length

test('five pages that change one to five times a day, with five fetches a day', () => {
  const changes = [1, 2, 3, 4, 5]
  const rates = freshestRates(changes, [1, 1, 1, 1, 1], 5)
  expect(Array.from(rates, (rate) => Number(rate.toFixed(2)))).toEqual([1.15, 1.36, 1.35, 1.14, 0])
  expect(freshnessOf(changes, rates)).toBeCloseTo(0.3739, 4)
  expect(freshnessOf(changes, [1, 1, 1, 1, 1])).toBeCloseTo(0.3651, 4)
  expect(
    freshnessOf(
      changes,
      changes.map((rate) => rate / 3),
    ),
  ).toBeCloseTo(0.3167, 4)
})

const pages = fc.array(
  fc.record({
    rate: fc.double({ min: 0.01, max: 20, noNaN: true }),
    weight: fc.double({ min: 0.01, max: 10, noNaN: true }),
  }),
  { minLength: 2, maxLength: 8 },
)

test('moving a little of the budget from any page to any other makes nothing fresher', () => {
  fc.assert(
    fc.property(pages, fc.double({ min: 0.5, max: 10, noNaN: true }), (all, budget) => {
      const rates = freshestRates(
        all.map(({ rate }) => rate),
        all.map(({ weight }) => weight),
        budget,
      )
      expect(sum(rates)).toBeCloseTo(budget, 6)
      const worth = (fetches: ArrayLike<number>) =>
        sum(all.map(({ rate, weight }, page) => weight * evenFreshness(rate, fetches[page])))
      const best = worth(rates)
      for (const [from] of all.entries())
        for (const [to] of all.entries()) {
          const moved = Float64Array.from(rates)
          const some = Math.min(moved[from], budget / 50)
          moved[from] -= some
          moved[to] += some
          expect(worth(moved)).toBeLessThanOrEqual(best + 1e-9)
        }
    }),
    { numRuns: 60, endOnFailure: true },
  )
})

test('a page that never changes is always fresh, fetched or not, and one that is never fetched is never', () => {
  expect([evenFreshness(0, 3), evenFreshness(0, 0), evenFreshness(3, 0)]).toEqual([1, 1, 0])
})

test('a page that never changes gets nothing', () => {
  expect([...freshestRates([0, 1], [5, 1], 2)]).toEqual([0, expect.closeTo(2, 6)])
})

test('the margin is turned round', () => {
  const marginOf = (changes: number) => 1 - Math.exp(-changes) * (1 + changes)
  fc.assert(
    fc.property(fc.double({ min: 1e-6, max: 20, noNaN: true }), (changes) => {
      expect(marginOf(changesAtMargin(marginOf(changes)))).toBeCloseTo(marginOf(changes), 12)
    }),
  )
})
