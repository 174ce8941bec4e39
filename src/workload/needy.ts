import type { Improvability } from './improvability.ts'
import type { Query } from './workload.ts'

/** A query the crawl may serve better. */
export interface NeedyQuery<Q extends Query = Query> {
  readonly query: Q
  /** Of its top results; see `averageTopScore`. */
  readonly averageScore: number
  /** New top results it may expect of a cycle. */
  readonly improvability: number
  /** Weight × improvability. */
  readonly neediness: number
}

/**
 * The neediest queries, neediest first: the best `share` of the workload, of equals the one that comes
 * first. averageScores[i] belongs to queries[i].
 *
 * @paper PandeyOlston2008 §5.2
 */
export function findNeedyQueries<Q extends Query>(
  queries: readonly Q[],
  averageScores: ArrayLike<number>,
  improvability: Improvability,
  share = 1,
): NeedyQuery<Q>[] {
  return queries
    .map((query, i) => {
      const averageScore = averageScores[i]
      const expected = improvability.of(averageScore)
      return {
        query,
        averageScore,
        improvability: expected,
        neediness: query.weight * expected,
      }
    })
    .sort((a, b) => b.neediness - a.neediness)
    .slice(0, Math.ceil(queries.length * share))
}
