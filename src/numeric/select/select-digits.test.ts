import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mixHash } from '../hash.ts'
import { digitCounts, type Keyed } from './digit-counts.ts'
import { decodeCounts, encodeCounts } from './digit-message.ts'
import { byOrder, type Cut, nthLargest, selectRank } from './select-digits.ts'

function columnsOf(rows: readonly Cut[]): Keyed {
  return {
    values: Float64Array.from(rows, ({ value }) => value),
    first: Uint32Array.from(rows, ({ first }) => first),
    second: Uint32Array.from(rows, ({ second }) => second),
  }
}

const value = fc.oneof(
  fc.nat(3),
  fc.double({ min: 0, max: 1, noNaN: true }),
  fc.double({ min: 0, noNaN: true }),
  fc.constantFrom(-0, Number.MIN_VALUE, Number.POSITIVE_INFINITY),
)
const word = fc.oneof(fc.nat(2), fc.integer({ min: 0, max: 0xffffffff }))
const row = fc.record({ value, first: word, second: word })

test('the B-th of all buckets is what sorting all of them gives, in order of value and tie', () => {
  fc.assert(
    fc.property(
      fc.array(row, { maxLength: 60 }),
      fc.integer({ min: 1, max: 9 }),
      fc.nat(70),
      (rows, size, lot) => {
        const rank = 1 + lot
        const buckets = Array.from({ length: size }, (_, bucket) =>
          columnsOf(rows.filter((_, i) => mixHash(5, i) % size === bucket)),
        )
        const plain = rows.map((one) => ({ ...one, value: one.value + 0 }))
        expect(selectRank(buckets, rank)).toEqual(plain.toSorted(byOrder)[rank - 1])
      },
    ),
  )
})

/** So many that they are counted digit by digit, as few differ in value: then ties are counted too. */
test('where many thousand bids are equal, the tie decides to its last bit', () => {
  const rows = Array.from({ length: 30_000 }, (_, i) => ({
    value: i % 3 === 0 ? 1 + (i % 7) : 2.5,
    first: mixHash(1, i) & 0xff,
    second: mixHash(2, i),
  }))
  const sorted = rows.toSorted(byOrder)
  const buckets = [0, 1, 2, 3].map((bucket) => columnsOf(rows.filter((_, i) => i % 4 === bucket)))
  for (const rank of [1, 77, 9_999, 20_000, 30_000])
    expect(selectRank(buckets, rank)).toEqual(sorted[rank - 1])
  expect(selectRank(buckets, 30_001)).toBeUndefined()
})

test('in one place the n-th largest is found among many as among few', () => {
  for (const size of [10, 50_001, 50_002]) {
    const shapes = [(i: number) => mixHash(3, i) / 7, (i: number) => mixHash(3, i) % 4, () => 0]
    for (const shape of shapes) {
      const values = Float64Array.from({ length: size }, (_, i) => shape(i))
      const sorted = values.toSorted().reverse()
      for (const rank of [1, 2, size >> 1, size])
        expect(nthLargest(values, rank)).toBe(sorted[rank - 1])
    }
  }
})

test('counts survive as bytes, of which most digits take one', () => {
  const values = Float64Array.from({ length: 20_000 }, (_, i) => 1 + mixHash(1, i) / 2 ** 36)
  const counts = digitCounts({ values }, [0x3ff0])
  const bytes = encodeCounts(counts)
  expect(decodeCounts(bytes)).toEqual(counts)
  expect(bytes.length).toBeLessThan(1.5 * counts.digits.length)
  const large = { digits: Uint16Array.of(0, 65_535), counts: Float64Array.of(2 ** 40, 300) }
  expect(decodeCounts(encodeCounts(large))).toEqual(large)
})

test('weights are added up where all of one digit are not worth the same', () => {
  const values = Float64Array.of(4, 4, 1)
  const { counts } = digitCounts({ values }, [], (place) => 10 ** place)
  expect([...counts]).toEqual([100, 11])
})

test('weights are added up among many as among few', () => {
  const values = Float64Array.from({ length: 5_000 }, (_, i) => 2 ** (i % 3))
  const weighed = digitCounts({ values }, [], (place) => place % 5)
  const sums = [0, 1, 2].map((shape) =>
    Array.from(values.keys())
      .filter((i) => i % 3 === shape)
      .reduce((sum, i) => sum + (i % 5), 0),
  )
  expect([...weighed.counts]).toEqual(sums)
})
