import fc from 'fast-check'
import { expect, test } from 'vitest'
import { marginalGain, smoothedPrice } from './price.ts'

test('the price is what the last fetch is worth that can be afforded', () => {
  const gains = Float64Array.of(3, 9, 1, 7)
  expect(marginalGain(gains, 1)).toBe(9)
  expect(marginalGain(gains, 3)).toBe(3)
  expect(gains).toEqual(Float64Array.of(3, 9, 1, 7))
})

test('the price is found without sorting, many bids being equal or not', () => {
  const gain = fc.oneof(fc.nat(3), fc.double({ min: 0, max: 1, noNaN: true }))
  fc.assert(
    fc.property(fc.array(gain, { minLength: 2, maxLength: 60 }), fc.nat(58), (some, lot) => {
      const affords = 1 + (lot % (some.length - 1))
      const sorted = some.toSorted((a, b) => b - a)
      expect(marginalGain(Float64Array.from(some), affords)).toBe(sorted[affords - 1])
    }),
  )
})

test('where everything can be afforded nothing has a price', () => {
  expect(marginalGain(Float64Array.of(3, 9), 2)).toBe(0)
  expect(marginalGain(new Float64Array(), 5)).toBe(0)
})

test('one odd plan moves the price a part of the way only', () => {
  expect(smoothedPrice(undefined, 8)).toBe(8)
  const after = smoothedPrice(8, 0)
  expect(after).toBeGreaterThan(4)
  expect(after).toBeLessThan(8)
})
