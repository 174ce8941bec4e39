/** Where a word may stand on a page, or about it. */
export const FIELDS = ['title', 'anchor', 'url', 'body'] as const

/** One value for each field, in the order of FIELDS. */
export type ByField<T> = readonly [title: T, anchor: T, url: T, body: T]

/**
 * How often a term stands in each field, packed into 32 bits: one byte a field, the first lowest. A
 * count beyond 255 scores like 255: scoring functions have long flattened there.
 */
export type PackedCounts = number

const MAX_COUNT = 255

/** The counts with one more in a field. */
export function countOneMore(counts: PackedCounts, field: number): PackedCounts {
  const shift = field * 8
  return ((counts >>> shift) & MAX_COUNT) === MAX_COUNT ? counts : (counts + (1 << shift)) >>> 0
}

export function countIn(counts: PackedCounts, field: number): number {
  return (counts >>> (field * 8)) & MAX_COUNT
}
