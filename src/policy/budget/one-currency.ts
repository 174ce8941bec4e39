import type { Bids } from '../bids.ts'

/**
 * A new page's worth counts for half a year: about as long as interest in a page, and the page itself, may be
 * expected to last. Long enough that good new pages come before refreshing, short enough that poor ones do
 * not. Twice as long made little difference on the sites that constants were fixed on.
 */
export const HORIZON_DAYS = 180

/** Bids for new pages in quality, as bids in quality × days: a page once held serves until the horizon. */
export function overHorizon(bids: Bids): Bids {
  const expected = bids.gains
  const gains = new Float64Array(expected.length)
  for (let i = 0; i < gains.length; i++) gains[i] = expected[i] * HORIZON_DAYS
  return { ...bids, gains, expected }
}

/** Corrects bids by what earlier ones came to: `correct` is asked with what was expected of each. */
export function corrected(bids: Bids, correct: (url: number, expected: number) => number): Bids {
  const { urls, gains: before, expected: thought = before } = bids
  const gains = before.slice()
  const expected = new Float64Array(urls.length)
  for (let i = 0; i < urls.length; i++) {
    expected[i] = correct(urls[i], thought[i])
    if (thought[i] > 0) gains[i] = (before[i] * expected[i]) / thought[i]
  }
  return { ...bids, gains, expected }
}

/** Links that URLs are expected to reveal, and how long these have been waiting, on average. */
export interface ExpectedLinks {
  /** Whether the URLs were never fetched. */
  readonly isFirst: boolean
  readonly urls: Uint32Array
  readonly links: Float64Array
  /**
   * Days that are lost unless the URL is fetched: half its age for copies, what others leave of the horizon for new pages, and
   * something of both for copies that nobody has looked at again.
   */
  readonly days: Float64Array
  /** Of likes that stand or fall with one guess the n-th counts for an n-th in a plan; all wholly, if left out. */
  readonly turns?: Uint32Array
}

/** Bids for links: how many, times what one is worth a day beyond the price of fetching it, times the days. */
export function linkBids(
  { urls, links, days, turns }: ExpectedLinks,
  worthOf: (url: number) => number,
): Bids {
  const gains = new Float64Array(urls.length)
  for (let i = 0; i < gains.length; i++)
    gains[i] = (links[i] / (turns?.[i] ?? 1)) * worthOf(urls[i]) * days[i]
  return {
    purpose: 'discover',
    urls,
    gains,
    expected: new Float64Array(urls.length),
    why: (i) => `about ${links[i] < 10 ? links[i].toPrecision(2) : Math.round(links[i])} new links`,
  }
}

/** What a link is worth a day if its page is worth so much: nothing if fetching that is not worth its price. */
export function beyondPrice(value: number, price: number): number {
  return Math.max(0, value - price / HORIZON_DAYS)
}
