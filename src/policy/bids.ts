import type { Purpose } from '#learn/entries/purpose.ts'

export { PURPOSES, type Purpose } from '#learn/entries/purpose.ts'

/** One policy's offers, in a currency that all policies of a crawl share. */
export interface Bids {
  readonly purpose: Purpose
  readonly urls: Uint32Array
  readonly gains: Float64Array // gains[i] belongs to urls[i]
  /**
   * The quality that the fetch is expected to gain at once, to be held against what it did: a bid may also
   * count for how long. The gain, if left out.
   */
  readonly expected?: Float64Array
  /** Why the i-th bid was made, in a few words; worked out only when somebody asks. */
  readonly why: (i: number) => string
}

/** The bids of who wants nothing. */
export function noBids(purpose: Purpose): Bids {
  return { purpose, urls: new Uint32Array(), gains: new Float64Array(), why: () => '' }
}

/** A policy reads facts and makes bids. It holds no state, does no I/O and asks no clock. */
export type Policy<Facts> = (facts: Facts) => Bids
