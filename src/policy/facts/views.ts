import { type QuerySketches, sharesOf } from '#search/gain/query-sketches.ts'
import { powerVisibility } from '#search/gain/visibility.ts'
import type { AnsweredQueries } from './query-facts.ts'

/** What searchers see of the copies held. */
export interface Views {
  /**
   * How often they see each page: Σ over queries of the share that asks them times the visibility of the page's
   * rank. Pages that no query shows are left out.
   */
  readonly byUrl: ReadonlyMap<number, number>
  /** The score that they see, mean over views; left out where nobody sees anything, or nobody knows. */
  readonly meanScore?: number
}

/** What is known of views where there are no queries. */
export const NO_VIEWS: Views = { byUrl: new Map() }

/** The views that tracked queries give, by the best results of each. */
export function viewsOfSketches(sketches: QuerySketches): Views {
  const sums = new ViewSums()
  for (const [query, share] of sketches.shares.entries())
    sketches.topOf(query).forEach(({ url, score }, i) => {
      sums.add(url, share * powerVisibility(i + 1), score)
    })
  return sums.views()
}

/** The views that asked queries give, by the results that are kept of each. */
export function viewsOfAnswers({ queries, answers }: AnsweredQueries): Views {
  const { kept, urls, scores, depth } = answers
  const sums = new ViewSums()
  for (const [query, share] of sharesOf(queries).entries())
    for (let i = 0; i < kept[query]; i++) {
      const at = query * depth + i
      sums.add(urls[at], share * powerVisibility(i + 1), scores[at])
    }
  return sums.views()
}

class ViewSums {
  readonly #byUrl = new Map<number, number>()
  #views = 0
  #seen = 0

  add(url: number, views: number, score: number): void {
    this.#byUrl.set(url, (this.#byUrl.get(url) ?? 0) + views)
    this.#views += views
    this.#seen += views * score
  }

  views(): Views {
    const byUrl = this.#byUrl
    return this.#views > 0 ? { byUrl, meanScore: this.#seen / this.#views } : { byUrl }
  }
}
