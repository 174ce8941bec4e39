import type { RefreshFacts } from '#frontier/graph-facts.ts'
import type { ChangeHistory } from '#learn/change-history.ts'
import type { GainHistory } from '#learn/gain-history.ts'

/** What sitemaps and feeds say about the pages held, by place in `pages`. */
export interface ClaimFacts {
  /** By how much what is said, or not said, raises the odds that a page changed; 1 says nothing. */
  readonly oddsFactors: Float64Array
}

/** What is known about pages that vanish, by place in `pages`. */
export interface GoneFacts {
  /** The share of its likes that vanishes a day. */
  readonly goneADay: Float64Array
  /** By how much lost links and alarms raise the odds that a page is gone; 1 says nothing. */
  readonly oddsFactors: Float64Array
  /** What taking away a copy whose page is gone gains for each click it gets. */
  readonly gainPerClick: number
}

/** What refreshing policies read that learn from past fetches. Columns are by place in `pages`. */
export interface HistoryFacts extends RefreshFacts {
  /** How often searchers see each copy now: Σ over queries of frequency times visibility. */
  readonly clicks: Float64Array
  /** The score that they see, mean over clicks, if known: what a copy of one click can be worth to them. */
  readonly scorePerClick?: number
  /** The class of each URL: pages of one class are expected to change alike. */
  readonly classes: Uint32Array
  /** By URL. */
  readonly history: ChangeHistory
  /** By URL. */
  readonly gains: GainHistory
  readonly claims?: ClaimFacts
  /** Left out where no page ever vanishes. */
  readonly gone?: GoneFacts
  /** Fetches there are for all these pages together. */
  readonly fetchesPerDay: number
}
