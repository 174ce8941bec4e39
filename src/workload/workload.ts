/** A query people ask, and how often relative to the others. */
export interface Query {
  readonly id: string
  readonly text: string
  readonly weight: number
}

/** How often searchers chose one of the answers to a query. */
export interface AnswerClicks {
  readonly url: string
  /** Clicks, each counted by its rank and its age. */
  readonly weight: number
  /** Σ over clicks of their squared weights: it tells how many clicks of one weight these are worth. */
  readonly squares: number
}

/** A query of a crawl directory, merged over everything that was imported. */
export interface StoredQuery extends Query {
  /** Which answers were clicked; left out where none was. */
  readonly clicks?: readonly AnswerClicks[]
  /** The formats that brought it, as in `csv` or `gsc, ubi`. */
  readonly source: string
  /** True for a synthetic query, derived from titles and anchors. */
  readonly synthetic: boolean
  /** Seconds since 1970; undefined if the log does not say when. */
  readonly firstSeen?: number
  readonly lastSeen?: number
}

/** An assessor's word on how well a page answers a query: 0 bad … 4 perfect. */
export interface Judgment {
  readonly queryId: string
  readonly url: string
  readonly grade: number
}

/** How often people chose a page. */
export interface PageClicks {
  readonly url: string
  readonly clicks: number
}

/** What searchers want: the queries, and what is known of good answers. Any part may be empty. */
export interface Workload {
  readonly queries: readonly Query[]
  readonly judgments: readonly Judgment[]
  readonly clicks: readonly PageClicks[]
}

/** What the searchers of a crawl directory want. */
export interface StoredWorkload extends Workload {
  readonly queries: readonly StoredQuery[]
  /** True if there is no log and all queries are synthetic. Reports say so. */
  readonly synthetic: boolean
}
