import type { Purpose } from '#learn/entries/purpose.ts'

export { PURPOSES, type Purpose } from '#learn/entries/purpose.ts'

/** One bidder's offers, in a currency that all bidders of a crawl share. */
export interface Bids {
  readonly purpose: Purpose
  readonly urls: Uint32Array
  readonly gains: Float64Array // gains[i] belongs to urls[i]
  /**
   * The quality that the fetch is expected to gain at once, to be compared with what it did: a bid may also
   * count for how long. The gain, if left out.
   */
  readonly expected?: Float64Array
  /** The bid is worth at least so many times the price, where there is one. */
  readonly leastPrices?: Float64Array
  /** Of bids for links: what the fetches are expected to reveal, so that a price can be put on it. */
  readonly reveals?: ExpectedLinks
  /** Why the i-th bid was made, in a few words; worked out only when somebody asks. */
  readonly why: (i: number) => string
}

/** Links that fetches are expected to reveal; columns go with the URLs of the bids. */
export interface ExpectedLinks {
  readonly links: Float64Array
  /**
   * Days that are lost unless the URL is fetched: half its age for copies, what others leave of the horizon for new
   * pages.
   */
  readonly days: Float64Array
  /** 1 for URLs that were never fetched. */
  readonly isFirst: Uint8Array
}

/** The bids of who wants nothing. */
export function noBids(purpose: Purpose): Bids {
  return { purpose, urls: new Uint32Array(), gains: new Float64Array(), why: () => '' }
}
