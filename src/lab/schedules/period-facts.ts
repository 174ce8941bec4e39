import type { Bids } from '#policy/bids.ts'
import type { FetchTimes } from './fetch-times.ts'

/** What is known of pages over a whole period of weeks, by place in `pages`. */
export interface PeriodFacts {
  readonly pages: Uint32Array
  /** Weeks that were looked at, to learn the rest from. */
  readonly observedWeeks: number
  /** Changes of page i in those weeks: changeShares[changeOffsets[i] .. changeOffsets[i + 1]), the share of shingles that differed. */
  readonly changeOffsets: Uint32Array
  readonly changeShares: Float64Array
  /** How often searchers see each page. */
  readonly clicks: Float64Array
}

/** What is to be planned: so many weeks with so many fetches each. */
export interface PeriodBudget {
  readonly weeks: number
  readonly fetchesPerWeek: number
  readonly seed: number
}

/** The bids of a policy that has laid down beforehand which pages to fetch in which slot. */
export function scheduledBids({ offsets, pages }: FetchTimes, slot: number): Bids {
  // One that is due twice at once is fetched once.
  const urls = Uint32Array.from(new Set(pages.subarray(offsets[slot], offsets[slot + 1])))
  return {
    purpose: 'refresh',
    urls,
    gains: new Float64Array(urls.length).fill(1),
    why: () => 'its turn has come',
  }
}

/**
 * Changes a week, from how many of the weeks looked at had one. Less biased than their share, and finite
 * where every week had one.
 *
 * @paper ChoGarciaMolina2003 — the estimator for regular visits.
 */
export function changesPerWeek(weeksWithChange: number, weeks: number): number {
  return Math.log((weeks + 0.5) / (weeks - weeksWithChange + 0.5))
}
