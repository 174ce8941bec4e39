import { sharesOf, type TopAnswers } from '#search/gain/top-answers.ts'
import { powerVisibility } from '#search/gain/visibility.ts'
import type { AskedQuery, QueryAnswers } from './acquisition-facts.ts'
import { clickFacts, shiftedByClicks } from './click-facts.ts'
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

/**
 * The views that tracked queries give, by the best results of each, and by what searchers clicked. `numberOf` gives
 * the number of a known URL.
 */
export function viewsOfTopAnswers(
  top: TopAnswers,
  numberOf: (url: string) => number | undefined = () => undefined,
): Views {
  const sums = new ViewSums()
  const queries: readonly AskedQuery[] = top.queries
  for (const [query, share] of top.shares.entries()) {
    const results = top.topOf(query)
    const urls = Uint32Array.from(results, ({ url }) => url)
    const answers = { depth: results.length, kept: Uint32Array.of(results.length), urls }
    const clicks = clickFacts([queries[query]], answers, numberOf)
    visibilitiesOf({ ...answers, clicks }, 0).forEach((visibility, i) => {
      sums.add(urls[i], share * visibility, results[i].score)
    })
  }
  return sums.views()
}

/** The views that asked queries give, by the results that are kept of each, and by what searchers clicked. */
export function viewsOfAnswers({ queries, answers }: AnsweredQueries): Views {
  const { urls, scores, depth } = answers
  const sums = new ViewSums()
  for (const [query, share] of sharesOf(queries).entries()) {
    visibilitiesOf(answers, query).forEach((visibility, i) => {
      const at = query * depth + i
      sums.add(urls[at], share * visibility, scores[at])
    })
  }
  return sums.views()
}

/** The views that all kept results get, of pages known or not. */
export function viewsInAll({ queries, answers }: AnsweredQueries): number {
  let views = 0
  for (const [query, share] of sharesOf(queries).entries())
    for (const visibility of visibilitiesOf(answers, query)) views += share * visibility
  return views
}

/** How likely searchers look at each kept result of a query. */
function visibilitiesOf(
  answers: Pick<QueryAnswers, 'depth' | 'kept' | 'clicks'>,
  query: number,
): Float64Array {
  const ranked = Float64Array.from({ length: answers.kept[query] }, (_, i) =>
    powerVisibility(i + 1),
  )
  return shiftedByClicks(ranked, answers, query)
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
