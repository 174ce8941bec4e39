import type { Result } from '../full-text/best-results.ts'
import type { Scoring } from '../full-text/scoring.ts'
import type { TextIndex } from '../full-text/text-index.ts'

/** A query that is watched, and how often people ask it relative to the others. */
export interface TrackedQuery {
  readonly text: string
  readonly weight: number
}

/** The results of a query that are kept. */
const TOP = 10

/** How each tracked query is answered now: its best results, as search gives them. */
export class TopAnswers {
  readonly queries: readonly TrackedQuery[]
  /** By query: its share of all searches for tracked queries. */
  readonly shares: Float64Array
  readonly scoring: Scoring
  #tops: readonly (readonly Result[])[]
  #seen: { readonly index: TextIndex; readonly version: number } | undefined

  constructor(queries: readonly TrackedQuery[], scoring: Scoring) {
    this.queries = queries
    this.shares = sharesOf(queries)
    this.scoring = scoring
    this.#tops = queries.map(() => [])
  }

  /** Asks all queries again, if the index has changed: every score rests on the whole corpus. */
  refresh(index: TextIndex): void {
    if (this.#seen?.index === index && this.#seen.version === index.version) return
    const statistics = index.statistics()
    this.#tops = this.queries.map(({ text }) =>
      index.search(index.prepare(text, this.scoring, statistics), TOP),
    )
    this.#seen = { index, version: index.version }
  }

  /** A query's best ten results, best first. */
  topOf(query: number): readonly Result[] {
    return this.#tops[query]
  }
}

/** How often each query is asked, of all the times that any is. */
export function sharesOf(queries: readonly Pick<TrackedQuery, 'weight'>[]): Float64Array {
  const total = queries.reduce((sum, { weight }) => sum + weight, 0)
  return Float64Array.from(queries, ({ weight }) => (total > 0 ? weight / total : 0))
}
