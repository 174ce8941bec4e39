/** A query people ask, and how often relative to the others. */
export interface Query {
  readonly id: string
  readonly text: string
  readonly weight: number
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
