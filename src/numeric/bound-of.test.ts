import fc from 'fast-check'
import { expect, test } from 'vitest'
import { boundOf } from './bound-of.ts'

test('a column of that length has a place for every number, and none to spare; numbers below 0 need none', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -1, max: 50 })), (numbers) => {
      expect(boundOf(Int32Array.from(numbers))).toBe(Math.max(-1, ...numbers) + 1)
    }),
  )
})
