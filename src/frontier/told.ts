/** Who told of a URL: its site (IndexNow), a hub for its feed (WebSub), or a fetcher that goes by our plan. */
export type Teller = 'indexnow' | 'websub' | 'frontier'

/** A URL that somebody told a crawl of. That is a claim, no more: it is fetched if it is worth it. */
export interface Told {
  /** Canonical. */
  readonly url: string
  readonly by: Teller
  /** When its content changed, as far as that was said; seconds since 1970. */
  readonly changedAt?: number
}
