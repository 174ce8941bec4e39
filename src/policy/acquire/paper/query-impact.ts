import { type Csr, csrFromEdges, rowOf } from '#numeric/csr.ts'
import { powerVisibility } from '#search/gain/visibility.ts'
import type { AcquisitionFacts, QueryAnswers } from '../../facts/acquisition-facts.ts'

/** Pages not fetched with the scores that are expected of them for queries; the arrays go together. */
export interface ScoredPairs {
  readonly queries: Uint32Array
  readonly urls: Uint32Array
  readonly scores: Float64Array
}

/** Results beyond these are hardly seen. */
const SEEN_RESULTS = 31

/** The scores of a query's results, falling. */
export function heldScores(
  { depth, kept, scores }: Pick<QueryAnswers, 'depth' | 'kept' | 'scores'>,
  query: number,
): Float64Array {
  return scores.subarray(query * depth, query * depth + kept[query])
}

/**
 * Σ over queries of weight × worth, by URL: what pages are worth when all of them compete for the
 * places at once, fetched or not.
 *
 * @paper PandeyOlston2008 §5 Eq. 1
 */
export function impactsTogether(
  { answers, queries }: Pick<AcquisitionFacts, 'answers' | 'queries'>,
  pairs: ScoredPairs,
  urlCount: number,
): Float64Array {
  const impacts = new Float64Array(urlCount)
  const byQuery = pairsByQuery(pairs, queries.length)
  for (const [query, { weight }] of queries.entries()) {
    const rows = rowOf(byQuery, query)
    if (rows.length === 0) continue
    const expected = Float64Array.from(rows, (row) => pairs.scores[row])
    const worths = worthsTogether(heldScores(answers, query), expected)
    for (let i = 0; i < rows.length; i++) impacts[pairs.urls[rows[i]]] += weight * worths[i]
  }
  return impacts
}

/**
 * What each of the pages not fetched is worth to a query when all of them compete with its results for its places
 * at once: what would be lost without it, in units of score. Results come first among equals.
 *
 * @paper PandeyOlston2008 §5.1 — T of Eq. 1, by the gain curve instead of a step at the last place.
 */
function worthsTogether(held: ArrayLike<number>, expected: Float64Array): Float64Array {
  const order = Uint32Array.from(expected.keys()).sort((a, b) => expected[b] - expected[a] || a - b)
  const worths = new Float64Array(expected.length)
  const scores: number[] = []
  const pages: number[] = [] // −1 for a result
  for (let next = 0, place = 0; scores.length < SEEN_RESULTS; ) {
    const score = place < order.length ? expected[order[place]] : 0
    const isHeld = next < held.length && held[next] >= score
    if (!isHeld && score <= 0) break
    scores.push(isHeld ? held[next++] : score)
    pages.push(isHeld ? -1 : order[place++])
  }
  let sum = 0
  for (let i = scores.length - 1; i >= 0; i--) {
    sum += powerVisibility(i + 1) * (scores[i] - (scores[i + 1] ?? 0))
    if (pages[i] >= 0) worths[pages[i]] = sum
  }
  return worths
}

/** By query: the rows of its pairs. */
function pairsByQuery({ queries }: ScoredPairs, queryCount: number): Csr {
  return csrFromEdges(queryCount, queries, Uint32Array.from(queries.keys()))
}
