import fc from 'fast-check'
import { expect, test } from 'vitest'
import { correlation, meanRanks, rankCorrelation } from './rank-correlation.ts'

const values = fc.array(fc.integer({ min: 0, max: 6 }), { minLength: 1, maxLength: 30 })

test('a mean rank is one, the values below, and half of the equals', () => {
  fc.assert(
    fc.property(values, (all) => {
      const naive = all.map((value) => {
        const below = all.filter((other) => other < value).length
        const equal = all.filter((other) => other === value).length
        return below + (equal + 1) / 2
      })
      expect([...meanRanks(all)]).toEqual(naive)
    }),
  )
})

test('the order counts, not the size', () => {
  expect(rankCorrelation([1, 2, 3, 4], [1, 10, 100, 1e9])).toBeCloseTo(1, 12)
  expect(rankCorrelation([1, 2, 3, 4], [0, -1, -2, -30])).toBeCloseTo(-1, 12)
  // Six times the sum of squared differences 4, 1, 1, 0, 4 over 5·24, from one.
  expect(rankCorrelation([1, 2, 3, 4, 5], [3, 1, 2, 4, 5])).toBeCloseTo(1 - (6 * 6) / 120, 12)
})

test('what is all alike correlates with nothing', () => {
  expect(rankCorrelation([1, 1, 1], [1, 2, 3])).toBe(0)
  expect(correlation([], [])).toBe(0)
})

test('a straight line correlates fully', () => {
  fc.assert(
    fc.property(values, (all) => {
      fc.pre(new Set(all).size > 1)
      const line = all.map((value) => 3 - 2 * value)
      expect(correlation(all, line)).toBeCloseTo(-1, 9)
    }),
  )
})
