import fc from 'fast-check'
import { expect, test } from 'vitest'
import { logTicks, roundTicks, scale, shortNumber } from './axes.ts'

test('ticks are a handful of round numbers around all values', () => {
  expect(roundTicks(0, 1)).toEqual([0, 0.2, 0.4, 0.6, 0.8, 1])
  expect(roundTicks(3, 41)).toEqual([0, 10, 20, 30, 40, 50])
  const value = fc.double({ min: -1e9, max: 1e9, noNaN: true })
  fc.assert(
    fc.property(value, value, (a, b) => {
      const [low, high] = [Math.min(a, b), Math.max(a, b)]
      fc.pre(high - low > 1e-4 * Math.max(1e-3, Math.abs(low), Math.abs(high)))
      const ticks = roundTicks(low, high)
      const slack = 1e-6 * (high - low)
      expect(ticks[0]).toBeLessThanOrEqual(low + slack)
      expect(ticks.at(-1)).toBeGreaterThanOrEqual(high - slack)
      expect(ticks.length).toBeGreaterThanOrEqual(2)
      expect(ticks.length).toBeLessThanOrEqual(8)
    }),
  )
})

test('an axis of iterations has whole numbers only', () => {
  expect(roundTicks(1, 4, 1)).toEqual([1, 2, 3, 4])
  expect(roundTicks(1, 15, 1)).toEqual([0, 5, 10, 15])
})

test('a logarithmic axis has 1, 2 and 5 of every power, or powers alone when there are many', () => {
  expect(logTicks(502, 25083)).toEqual([1000, 2000, 5000, 10000, 20000])
  expect(logTicks(1, 1e6)).toEqual([1, 10, 100, 1000, 1e4, 1e5, 1e6])
  expect(logTicks(11, 12)).toEqual([11, 12])
  expect(logTicks(7, 7)).toEqual([7])
})

test('scales and numbers', () => {
  expect(scale(0, 10, 100, 200)(5)).toBe(150)
  expect(scale(3, 3, 100, 200)(3)).toBe(100)
  expect([0.000001, 0.25, 9999, 25083, 1234567].map(shortNumber)).toEqual([
    '1e-6',
    '0.25',
    '9999',
    '25.1 k',
    '1.23 M',
  ])
})
