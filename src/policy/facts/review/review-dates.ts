import { SECONDS_A_DAY } from '#learn/histories.ts'

/** How far a crawl has come. */
export interface CrawlMoment {
  /** URLs fetched at least once. */
  readonly visits: Uint32Array
  /** Fetches, of the same URLs too. */
  readonly fetches: number
  readonly now: number
}

/** Queries are looked at anew when so large a share as many fetches were made as URLs had been fetched. */
const NEWS_SHARE = 0.25
/** And after so many fetches, however large the crawl. */
const MOST_FETCHES = 10_000
/** What changes faster than that, few searchers notice. */
const MOST_SECONDS = SECONDS_A_DAY

/** Whether enough has come since a review for the next one. */
export function isReviewDue(last: CrawlMoment, { fetches, now }: CrawlMoment): boolean {
  const enough = Math.min(MOST_FETCHES, NEWS_SHARE * last.visits.length)
  return fetches - last.fetches >= enough || Math.abs(now - last.now) >= MOST_SECONDS
}

/** Few queries make most of the searches: those that make this share of them are looked at in every plan. */
const MOST_SEARCHES = 2 / 3

/** The queries asked most, that make most of the searches: by number, ascending. */
export function mostAsked(queries: readonly { readonly weight: number }[]): number[] {
  const byWeight = [...queries.keys()].sort(
    (a, b) => queries[b].weight - queries[a].weight || a - b,
  )
  let left = MOST_SEARCHES * queries.reduce((sum, { weight }) => sum + weight, 0)
  let count = 0
  for (; count < byWeight.length && left > 0; count++) left -= queries[byWeight[count]].weight
  return byWeight.slice(0, count).sort((a, b) => a - b)
}
