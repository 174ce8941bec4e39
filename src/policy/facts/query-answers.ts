import type { Result } from '#search/full-text/best-results.ts'
import type { Scoring } from '#search/full-text/scoring.ts'
import type { TextIndex } from '#search/full-text/text-index.ts'
import type { AskedQuery, QueryAnswers } from './acquisition-facts.ts'
import { gainsOf, TOP_K } from './worth.ts'

/** Results kept a query: 20 that speak for the pages they link to, and some to tell what ranks are worth. */
export const ANSWER_DEPTH = 31
/** Results are counted so far; one more, so that a count without one result is exact too. */
export const COUNTED_RESULTS = 51

/** What the last result of each query scored when it was asked last: the next time that is where to begin. */
export type LastScores = WeakMap<AskedQuery, number>
/** Scores of that time, as rarity and lengths change, are at least so much now; a wrong guess costs time alone. */
const STILL = 0.95

/** How an index answers queries now. Results are counted up to `counted`: the fewer, the sooner it is done; `depth` are kept. */
export function answersOf(
  index: TextIndex,
  queries: readonly AskedQuery[],
  scoring: Scoring,
  counted = COUNTED_RESULTS,
  depth = ANSWER_DEPTH,
  lastScores: LastScores = new WeakMap(),
): QueryAnswers {
  const answers = {
    depth,
    kept: new Uint32Array(queries.length),
    urls: new Uint32Array(queries.length * depth),
    scores: new Float64Array(queries.length * depth),
    resultCounts: new Uint32Array(queries.length),
    bounds: new Float64Array(queries.length),
    lengths: new Uint8Array(queries.length),
  }
  const statistics = index.statistics()
  const most = Math.max(counted, depth)
  for (const [query, asked] of queries.entries()) {
    const prepared = index.prepare(asked.text, scoring, statistics)
    answers.bounds[query] = scoring.bound(prepared.totalWeight)
    answers.lengths[query] = prepared.terms.length
    if (prepared.terms.length === 0) continue
    const guess = STILL * (lastScores.get(asked) ?? 0)
    const best = index.best(prepared, most, undefined, guess)
    const scores = best.scores()
    lastScores.set(asked, best.threshold)
    const results = best.first(depth, scores)
    answers.kept[query] = results.length
    answers.resultCounts[query] = scores.length
    for (const [i, { url, score }] of results.entries()) {
      answers.urls[query * depth + i] = url
      answers.scores[query * depth + i] = score
    }
  }
  return { ...answers, meanGain: meanGainOf(answers) }
}

/** What a result among the first ten adds to the quality of its query's answers, mean over all. */
export function meanGainOf(answers: Pick<QueryAnswers, 'depth' | 'kept' | 'scores'>): number {
  let [sum, count] = [0, 0]
  for (let query = 0; query < answers.kept.length; query++)
    for (const gain of gainsOf(answers, query).subarray(0, TOP_K)) {
      sum += gain
      count++
    }
  return count > 0 ? sum / count : 1
}

/**
 * How another engine answers queries now. What a query's best possible score is there, and how long it is, nobody can ask: our
 * own index tells it, in the proportion of the best results.
 */
export function engineAnswers(
  curves: readonly (readonly Result[])[],
  own: QueryAnswers,
): QueryAnswers {
  const { depth } = own
  const answers = {
    ...own,
    kept: new Uint32Array(own.kept.length),
    urls: new Uint32Array(own.urls.length),
    scores: new Float64Array(own.scores.length),
    resultCounts: new Uint32Array(own.resultCounts.length),
    bounds: Float64Array.from(own.bounds),
  }
  for (let query = 0; query < own.kept.length; query++) {
    const results = curves[query].slice(0, depth)
    answers.kept[query] = results.length
    answers.resultCounts[query] = curves[query].length
    for (const [i, { url, score }] of results.entries()) {
      answers.urls[query * depth + i] = url
      answers.scores[query * depth + i] = score
    }
    const ownBest = own.scores[query * depth]
    if (results.length > 0 && ownBest > 0)
      answers.bounds[query] = (own.bounds[query] * results[0].score) / ownBest
  }
  return { ...answers, meanGain: meanGainOf(answers) }
}
