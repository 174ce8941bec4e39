import type { AskedQuery, QueryAnswers } from '#policy/facts/acquisition-facts.ts'
import { type QuerySketches, sharesOf } from '#search/gain/query-sketches.ts'
import { powerVisibility } from '#search/gain/visibility.ts'

/** What searchers see of the copies held. */
export interface Clicks {
  /**
   * How often they see each page: Σ over queries of the share that asks them times the visibility of the page's
   * rank. Pages that no query shows are left out.
   */
  readonly byUrl: ReadonlyMap<number, number>
  /** The score that they see, mean over clicks; left out where nobody sees anything, or nobody knows. */
  readonly meanScore?: number
}

/** What is known of clicks where there are no queries. */
export const NO_CLICKS: Clicks = { byUrl: new Map() }

/** The clicks that tracked queries give, by the best results of each. */
export function clicksOfSketches(sketches: QuerySketches): Clicks {
  const sums = new ClickSums()
  for (const [query, share] of sketches.shares.entries())
    sketches.topOf(query).forEach(({ url, score }, i) => {
      sums.add(url, share * powerVisibility(i + 1), score)
    })
  return sums.clicks()
}

/** The clicks that asked queries give, by the results that are kept of each. */
export function clicksOfAnswers(
  queries: readonly AskedQuery[],
  { kept, urls, scores, depth }: Pick<QueryAnswers, 'kept' | 'urls' | 'scores' | 'depth'>,
): Clicks {
  const sums = new ClickSums()
  for (const [query, share] of sharesOf(queries).entries())
    for (let i = 0; i < kept[query]; i++) {
      const at = query * depth + i
      sums.add(urls[at], share * powerVisibility(i + 1), scores[at])
    }
  return sums.clicks()
}

class ClickSums {
  readonly #byUrl = new Map<number, number>()
  #clicks = 0
  #seen = 0

  add(url: number, clicks: number, score: number): void {
    this.#byUrl.set(url, (this.#byUrl.get(url) ?? 0) + clicks)
    this.#clicks += clicks
    this.#seen += clicks * score
  }

  clicks(): Clicks {
    const byUrl = this.#byUrl
    return this.#clicks > 0 ? { byUrl, meanScore: this.#seen / this.#clicks } : { byUrl }
  }
}
