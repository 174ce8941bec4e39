import type { Scoring } from '#search/full-text/scoring.ts'
import type { TextIndex } from '#search/full-text/text-index.ts'
import { averageTopScore, type Improvability } from '#workload/improvability.ts'
import { findNeedyQueries } from '#workload/needy.ts'
import type { Query } from '#workload/workload.ts'

/** The average top score of each query, as an index answers it now. */
export function averageScores(
  queries: readonly Query[],
  index: TextIndex,
  scoring: Scoring,
  k: number,
): Float64Array {
  const statistics = index.statistics()
  return Float64Array.from(queries, ({ text }) => {
    const results = index.search(index.prepare(text, scoring, statistics), k)
    const scores = results.map(({ score }) => score)
    return averageTopScore(scores, k)
  })
}

/** The weights with those of all but the neediest share of the queries asked set to 0. */
export function needyWeights(
  queries: readonly Query[],
  weights: Float64Array,
  share: number,
  scoresOf: (asked: readonly Query[]) => Float64Array,
  improvabilityBy: (scores: readonly number[]) => Improvability,
): Float64Array {
  if (share >= 1) return weights
  const asked = queries.flatMap((query, i) =>
    weights[i] > 0 ? { ...query, weight: weights[i], place: i } : [],
  )
  const scores = scoresOf(asked)
  const kept = new Float64Array(weights.length)
  for (const { query } of findNeedyQueries(asked, scores, improvabilityBy([...scores]), share))
    kept[query.place] = query.weight
  return kept
}
