import type { QueryAnswers } from '#policy/facts/acquisition-facts.ts'
import { ANSWER_DEPTH, COUNTED_RESULTS, meanGainOf } from '#policy/facts/query-answers.ts'
import type { HeldAnswers } from '../refresh/held-answers.ts'
import type { BudgetWorld } from './world.ts'

/** How copies held answer some queries of a world, as an index would tell it; `urlOf` numbers pages. */
export function heldQueryAnswers(
  { answers: { slotPages }, bounds, queries: { terms } }: BudgetWorld,
  held: HeldAnswers,
  queries: Uint32Array,
  urlOf: Int32Array,
): QueryAnswers {
  const depth = ANSWER_DEPTH
  const answers = {
    depth,
    kept: new Uint32Array(queries.length),
    urls: new Uint32Array(queries.length * depth),
    scores: new Float64Array(queries.length * depth),
    resultCounts: new Uint32Array(queries.length),
    bounds: Float64Array.from(queries, (query) => bounds[query]),
    lengths: Uint8Array.from(queries, (query) => Math.min(255, terms[query].length)),
  }
  for (let i = 0; i < queries.length; i++) {
    const results = held.resultsOf(queries[i])
    const kept = Math.min(depth, results.length)
    answers.kept[i] = kept
    answers.resultCounts[i] = Math.min(COUNTED_RESULTS, results.length)
    for (let place = 0; place < kept; place++) {
      answers.urls[i * depth + place] = urlOf[slotPages[results[place]]]
      answers.scores[i * depth + place] = held.storedScore(results[place])
    }
  }
  return { ...answers, meanGain: meanGainOf(answers) }
}
