import type { RenamedLinks } from '#frontier/links/renamed-links.ts'
import type { TextMarks } from '#frontier/texts/duplicates.ts'
import type { Forecast, WarcPlace } from './fetch-entry.ts'
import type { FetchOutcome } from './outcome.ts'

/** What one fetch taught, as the fetch log keeps it. */
export interface LearntFetch {
  readonly outcome: FetchOutcome
  /** The content, or that there is none any more, is news to us. */
  readonly changed: boolean
  /** Searchers would notice the change: other words, not other markup or a date in a long text. */
  readonly contentChanged: boolean
  /**
   * It brought content that no other page had brought, or as a sitemap or feed new addresses of pages: a
   * pattern that never does is a trap.
   */
  readonly fresh: boolean
  /** URLs that nobody had mentioned before. */
  readonly newUrls: number
  /** URLs it links to and did not when it was last fetched, known before or not. */
  readonly newLinks: number
  /** Links that came or went with their texts, so that their targets are found by other words; not in the log. */
  readonly renamed?: RenamedLinks
  /** Other pages that linked to it before this fetch. */
  readonly inLinks: number
  /** The page that already says the same, or that this one names as its better address. */
  readonly duplicateOf?: number
  /** A page that says "not found" with status 200. */
  readonly softError?: boolean
  /** Of the text, if it had to be looked at. */
  readonly marks?: TextMarks
  /** Its copy is given up, as the page could not be had for a month or longer. */
  readonly lost?: boolean
  /** Nothing was sent, since its host is to be left alone for a while, or we broke it off ourselves. */
  readonly postponed?: boolean
  /** Whether a sitemap's or feed's claim that the page had changed came out right, if one was tested. */
  readonly claimRight?: boolean
  /** A sitemap or feed that dates the page said nothing of a change, and this fetch tested that. */
  readonly unclaimed?: boolean
}

/** One fetch for the log: what it taught, what was expected of it, and what it was worth. */
export interface LoggedFetch extends LearntFetch, Forecast {
  readonly warc?: WarcPlace
  /** In the unit that `gain-meter.ts` states, which not all policies bid in; absent while no queries are tracked. */
  readonly realisedGain?: number
  /** What of it other pages gained, as its links call them by other words now. */
  readonly anchorGain?: number
}
