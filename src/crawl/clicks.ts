import type { AskedQuery, QueryAnswers } from '#frontier/acquisition-facts.ts'
import { type QuerySketches, sharesOf } from '#search/query-sketches.ts'
import { powerVisibility } from '#search/visibility.ts'

/**
 * How often searchers see each page: Σ over queries of the share that asks them times the visibility of the
 * page's rank. Pages that no query shows are left out.
 */
export type Clicks = ReadonlyMap<number, number>

/** The clicks that tracked queries give, by the best results of each. */
export function clicksOfSketches(sketches: QuerySketches): Clicks {
  const clicks = new Map<number, number>()
  for (const [query, share] of sketches.shares.entries())
    sketches.topOf(query).forEach(({ url }, i) => {
      addClicks(clicks, url, share, i + 1)
    })
  return clicks
}

/** The clicks that asked queries give, by the results that are kept of each. */
export function clicksOfAnswers(
  queries: readonly AskedQuery[],
  { kept, urls, depth }: Pick<QueryAnswers, 'kept' | 'urls' | 'depth'>,
): Clicks {
  const clicks = new Map<number, number>()
  for (const [query, share] of sharesOf(queries).entries())
    for (let i = 0; i < kept[query]; i++) addClicks(clicks, urls[query * depth + i], share, i + 1)
  return clicks
}

function addClicks(clicks: Map<number, number>, url: number, share: number, rank: number): void {
  clicks.set(url, (clicks.get(url) ?? 0) + share * powerVisibility(rank))
}
