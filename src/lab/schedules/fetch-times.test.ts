import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fetchTimes, wholeFetches } from './fetch-times.ts'

const rowOf = ({ offsets, pages }: ReturnType<typeof fetchTimes>, slot: number) =>
  Array.from(pages.subarray(offsets[slot], offsets[slot + 1]))

test('every fetch has its slot, no slot has too many', () => {
  fc.assert(
    fc.property(
      fc.array(fc.nat(5), { minLength: 1, maxLength: 12 }),
      fc.integer({ min: 1, max: 8 }),
      fc.nat(),
      (counts, slots, seed) => {
        const total = counts.reduce((a, b) => a + b, 0)
        const perSlot = Math.ceil(total / slots)
        const times = fetchTimes(counts, slots, perSlot, seed)
        const got = counts.map(() => 0)
        for (let slot = 0; slot < slots; slot++) {
          expect(rowOf(times, slot).length).toBeLessThanOrEqual(perSlot)
          for (const page of rowOf(times, slot)) got[page]++
        }
        expect(got).toEqual(counts)
      },
    ),
  )
})

test('a page with as many fetches as slots is fetched in each', () => {
  const times = fetchTimes([4, 4], 4, 2, 7)
  for (let slot = 0; slot < 4; slot++) expect(rowOf(times, slot).sort()).toEqual([0, 1])
})

test('rounding keeps the sum and the proportions', () => {
  fc.assert(
    fc.property(
      fc.array(fc.double({ min: 0, max: 9, noNaN: true }), { minLength: 1, maxLength: 10 }),
      fc.nat(40),
      (rates, fetches) => {
        const sum = rates.reduce((a, b) => a + b, 0)
        fc.pre(sum > 1e-9)
        const counts = wholeFetches(Float64Array.from(rates), fetches)
        expect(counts.reduce((a, b) => a + b, 0)).toBe(fetches)
        counts.forEach((count, page) => {
          expect(Math.abs(count - (rates[page] / sum) * fetches)).toBeLessThanOrEqual(1)
        })
      },
    ),
  )
})
