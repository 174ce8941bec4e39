import fc from 'fast-check'
import { expect, test } from 'vitest'
import { GainCurve } from './gain-curve.test-kit.ts'
import { gainInList } from './gain-in-list.ts'
import { powerVisibility } from './visibility.ts'

const visibilities = Float64Array.from({ length: 30 }, (_, rank) => powerVisibility(rank))
const lists = fc
  .array(fc.integer({ min: 1, max: 12 }), { maxLength: 12 })
  .map((scores) => Float64Array.from(scores).sort().reverse())

test('what a page gains in a list is what the exact gain curve of the list says', () => {
  fc.assert(
    fc.property(lists, fc.nat(), fc.nat(14), (scores, place, truth) => {
      const curve = GainCurve.from(scores, powerVisibility)
      const stored =
        place % (scores.length + 1) < scores.length ? scores[place % (scores.length + 1)] : 0
      for (const one of [truth, truth + 0.5])
        expect(gainInList(scores, visibilities, stored, one)).toBeCloseTo(
          curve.gainOfResult(stored, one),
          12,
        )
      const known = scores.indexOf(stored)
      if (known >= 0)
        expect(gainInList(scores, visibilities, stored, truth, known)).toBe(
          gainInList(scores, visibilities, stored, truth),
        )
    }),
  )
})

test('a page below all that are listed counts as the next, and gains only where it gets in', () => {
  const scores = Float64Array.of(10, 8, 5, 3)
  expect(gainInList(scores, visibilities, 2, 1)).toBe(0)
  expect(gainInList(scores, visibilities, 1, 2.5)).toBe(0)
  expect(gainInList(scores, visibilities, 2, 0)).toBe(0)
  const passed = (visibilities[5] - visibilities[4]) * 3
  expect(gainInList(scores, visibilities, 2, 4)).toBeCloseTo(
    passed + 4 * (4 ** -1.5 - 5 ** -1.5),
    12,
  )
})
