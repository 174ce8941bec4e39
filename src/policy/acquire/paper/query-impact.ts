import { csrFromEdges, rowOf } from '#numeric/csr.ts'
import type { AcquisitionFacts, QueryAnswers } from '../../facts/acquisition-facts.ts'

/** Pages not fetched with the scores that are expected of them for queries; the arrays go together. */
export interface ScoredPairs {
  readonly queries: Uint32Array
  readonly urls: Uint32Array
  readonly scores: Float64Array
}

/** The scores of a query's results, falling. */
export function heldScores(
  { depth, kept, scores }: Pick<QueryAnswers, 'depth' | 'kept' | 'scores'>,
  query: number,
): Float64Array {
  return scores.subarray(query * depth, query * depth + kept[query])
}

/**
 * Σ over queries of frequency × T, by URL: how many searchers would see each page among the first K results of the
 * sketches, where results and expected pages compete for the places at once. Unit: searches of the workload.
 *
 * @paper PandeyOlston2008 §5 Eq. 1
 */
export function impactsTogether(
  { answers, queries }: Pick<AcquisitionFacts, 'answers' | 'queries'>,
  { queries: queryOf, urls, scores }: ScoredPairs,
  urlCount: number,
  topK: number,
): Float64Array {
  const impacts = new Float64Array(urlCount)
  const byQuery = csrFromEdges(queries.length, queryOf, Uint32Array.from(queryOf.keys()))
  for (const [query, { weight }] of queries.entries()) {
    const held = heldScores(answers, query)
    const bestFirst = rowOf(byQuery, query).toSorted((a, b) => scores[b] - scores[a] || a - b)
    for (let better = 0; better < bestFirst.length; better++) {
      const row = bestFirst[better]
      if (!isAmongFirst(scores[row], held, better, topK)) break
      impacts[urls[row]] += weight
    }
  }
  return impacts
}

/**
 * Whether a page not fetched is among the first K of a sketch: `better` others that are not fetched stand before it,
 * and all results of at least its score. `held` has the scores of the results, falling.
 *
 * @paper PandeyOlston2008 §5 — T(p, q) of Eq. 1; of equal scores the result that is there stays before.
 */
export function isAmongFirst(
  score: number,
  held: Float64Array,
  better: number,
  topK: number,
): boolean {
  const rival = topK - 1 - better // the place of the result that has to score less
  return score > 0 && rival >= 0 && !(held[rival] >= score)
}

/**
 * The same of pages that are held: how many searchers see each among the first K results now.
 *
 * @paper PandeyOlston2008 §5 Eq. 1
 */
export function impactsOfHeld(
  { depth, kept, urls }: Pick<QueryAnswers, 'depth' | 'kept' | 'urls'>,
  weights: ArrayLike<number>,
  urlCount: number,
  topK: number,
): Float64Array {
  const impacts = new Float64Array(urlCount)
  for (let query = 0; query < kept.length; query++) {
    const seen = Math.min(kept[query], topK)
    for (let rank = 0; rank < seen; rank++) impacts[urls[query * depth + rank]] += weights[query]
  }
  return impacts
}
