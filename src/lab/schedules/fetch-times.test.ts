import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mixHash } from '#numeric/hash.ts'
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

/** The slots that a page is to be fetched in, as evenly spaced as can be, by the phase the seed gives it. */
function idealSlots(counts: readonly number[], slots: number, seed: number): number[] {
  return counts.flatMap((count, page) => {
    const phase = (mixHash(seed, page) + 1) / 2 ** 32
    return Array.from({ length: count }, (_, fetch) =>
      Math.floor(((fetch + 1 - phase) * slots) / count),
    )
  })
}

/** The fewest slots that all fetches together must move by, of all assignments. */
function fewestMoves(ideal: readonly number[], slots: number, perSlot: number): number {
  const [first, ...others] = ideal
  if (first === undefined) return 0
  const memo = new Map<string, number>()
  const least = (task: number, room: readonly number[]): number => {
    if (task === ideal.length) return 0
    const key = `${task} ${room}`
    const known = memo.get(key)
    if (known !== undefined) return known
    const costs = room.map((left, slot) =>
      left === 0
        ? Number.POSITIVE_INFINITY
        : Math.abs(slot - ideal[task]) + least(task + 1, room.with(slot, left - 1)),
    )
    memo.set(key, Math.min(...costs))
    return Math.min(...costs)
  }
  return others.length + 1 > slots * perSlot ? 0 : least(0, new Array(slots).fill(perSlot))
}

test('no assignment moves fetches by fewer slots, with room to spare or without', () => {
  fc.assert(
    fc.property(
      fc.array(fc.nat(3), { minLength: 1, maxLength: 4 }),
      fc.integer({ min: 1, max: 5 }),
      fc.integer({ min: 1, max: 4 }),
      fc.nat(1000),
      (counts, slots, perSlot, seed) => {
        const ideal = idealSlots(counts, slots, seed)
        fc.pre(ideal.length <= slots * perSlot)
        const times = fetchTimes(counts, slots, perSlot, seed)
        const fetched = Array.from({ length: slots }, (_, slot) =>
          rowOf(times, slot).map(() => slot),
        )
        const sorted = ideal.toSorted((a, b) => a - b)
        const moved = fetched.flat().reduce((sum, slot, i) => sum + Math.abs(slot - sorted[i]), 0)
        expect(moved).toBe(fewestMoves(ideal, slots, perSlot))
      },
    ),
  )
})

test('while there is room, every fetch comes in the slot of its own moment', () => {
  const weekly = fetchTimes([8, 8], 8, 5, 7)
  for (let slot = 0; slot < 8; slot++) expect(rowOf(weekly, slot)).toEqual([1, 0])
  // Two of the three belong into slot 4, which has one place.
  expect(idealSlots([1, 1, 1], 12, 7)).toEqual([6, 4, 4])
  const once = fetchTimes([1, 1, 1], 12, 1, 7)
  const slots = Array.from({ length: 12 }, (_, slot) => rowOf(once, slot))
  expect([0, 1, 2].map((page) => slots.findIndex((row) => row.includes(page)))).toEqual([6, 5, 4])
})

test('a page fetched once, or twice, comes at a phase of its own', () => {
  const counts = new Array(400).fill(2)
  const times = fetchTimes(counts, 10, 400, 3)
  const firsts = Array.from({ length: 5 }, (_, slot) => rowOf(times, slot).length)
  for (const count of firsts) expect(count).toBeGreaterThan(50)
  // Half of the period lies between the two fetches of each.
  for (let slot = 0; slot < 5; slot++) expect(rowOf(times, slot)).toEqual(rowOf(times, slot + 5))
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
