import fc from 'fast-check'
import { expect, test } from 'vitest'
import { tableOf } from './feature-table.test-kit.ts'
import type { FeatureTable } from './feature-table.ts'
import { Binner, binsOf, fitCuts, MISSING_BIN } from './quantile-bins.ts'

function oneColumn(values: readonly number[]): FeatureTable {
  return tableOf(
    ['x'],
    values.map((value) => [value]),
  )
}

function binsBy(cuts: readonly number[], values: readonly number[]): number[] {
  return [...new Binner([cuts]).bin(oneColumn(values)).bins]
}

const value = fc.oneof(
  fc.integer({ min: -5, max: 5 }),
  fc.float(),
  fc.constantFrom(Number.NaN, Infinity, -Infinity, -0),
)

test("a value's bin is one more than the cuts below it, and missing values have bin 0", () => {
  fc.assert(
    fc.property(
      fc.array(value, { maxLength: 200 }),
      fc.integer({ min: 2, max: 255 }),
      (values, maxBins) => {
        const [cuts] = fitCuts(oneColumn(values), maxBins)
        const naive = values.map((of) =>
          Number.isNaN(of) ? MISSING_BIN : 1 + cuts.filter((cut) => cut < Math.fround(of)).length,
        )
        expect(binsBy(cuts, values)).toEqual(naive)
        expect(cuts.length).toBeLessThan(maxBins)
        expect(cuts.every(Number.isFinite)).toBe(true)
        expect(cuts.every((cut, i) => i === 0 || cut > cuts[i - 1])).toBe(true)
      },
    ),
  )
})

test('as long as bins last, every distinct value has its own', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.float({ noNaN: true }), { maxLength: 60 }), (values) => {
      const distinct = [...new Set(values.map((of) => Math.fround(of) + 0))]
      const [cuts] = fitCuts(oneColumn(distinct), 64)
      expect(new Set(binsBy(cuts, distinct)).size).toBe(distinct.length)
    }),
  )
})

test('many values are parted into bins of about equal size', () => {
  const values = Array.from({ length: 10_000 }, (_, i) => Math.sqrt((i * 7919) % 10_000))
  const [cuts] = fitCuts(oneColumn(values), 50)
  expect(cuts).toHaveLength(49)
  const sizes = new Array(51).fill(0)
  for (const bin of binsBy(cuts, values)) sizes[bin]++
  expect(Math.min(...sizes.slice(1))).toBeGreaterThan(190)
  expect(Math.max(...sizes)).toBeLessThan(210)
})

test('a value as frequent as a bin leaves the other bins to the rest', () => {
  const values = Array.from({ length: 10_000 }, (_, i) => (i % 10 === 0 ? i + 1 : 0))
  const [cuts] = fitCuts(oneColumn(values), 20)
  expect(cuts).toHaveLength(19)
  expect(cuts[0]).toBeLessThan(1)
})

test('blocks of a table get the same bins as the whole', () => {
  const table = tableOf(
    ['a', 'b'],
    Array.from({ length: 50 }, (_, i) => [i % 7, i % 3 === 0 ? Number.NaN : i]),
  )
  const binner = new Binner(fitCuts(table, 16))
  const whole = binner.bin(table)
  const room = new Uint8Array(100)
  for (const [start, end] of [
    [0, 20],
    [20, 45],
    [45, 50],
  ]) {
    const block = binner.bin(table, start, end, room)
    for (const feature of [0, 1])
      expect([...binsOf(block, feature)]).toEqual([...binsOf(whole, feature).subarray(start, end)])
  }
})

test('a constant or wholly missing feature has no cut', () => {
  expect(fitCuts(oneColumn([3, 3, 3]), 8)).toEqual([[]])
  expect(fitCuts(oneColumn([Number.NaN, Number.NaN]), 8)).toEqual([[]])
  expect(fitCuts(oneColumn([]), 8)).toEqual([[]])
})
