import { powerVisibility } from '#search/gain/visibility.ts'
import type { QueryAnswers } from './acquisition-facts.ts'
import { shiftedByClicks } from './click-facts.ts'

/** Searchers look at so many results. */
export const TOP_K = 10

/**
 * What each kept result of a query is worth, had it been the last to be fetched: the others were there before. Half
 * is for being among the first ten, half for what it adds to the quality of the answers; a mean result of the first
 * ten is worth 1. Where searchers clicked, that tells more.
 */
export function worthsOf(
  answers: Pick<QueryAnswers, 'depth' | 'kept' | 'scores' | 'meanGain' | 'clicks'>,
  query: number,
): Float64Array {
  const worths = gainsOf(answers, query)
  const scale = 1 / (2 * answers.meanGain)
  for (let i = 0; i < worths.length; i++) {
    worths[i] *= scale
    if (i < TOP_K) worths[i] += 0.5
  }
  return shiftedByClicks(worths, answers, query)
}

/** What each kept result adds to the quality of a query's answers, in units of score. */
export function gainsOf(
  { depth, kept, scores }: Pick<QueryAnswers, 'depth' | 'kept' | 'scores'>,
  query: number,
): Float64Array {
  const gains = new Float64Array(kept[query])
  // Without the result of rank r, those below it move up by one: it adds the sum over ranks from r on of
  // visibility times the step between neighbours. Beyond the last one kept, scores fall to 0 at once.
  let below = 0
  let sum = 0
  for (let i = gains.length - 1; i >= 0; i--) {
    const score = scores[query * depth + i]
    sum += powerVisibility(i + 1) * (score - below)
    below = score
    gains[i] = sum
  }
  return gains
}

/** What every URL is worth now to all queries together, by weights of the queries. */
export function realisedWorth(
  answers: QueryAnswers,
  weights: ArrayLike<number>,
  urlCount: number,
): Float64Array {
  const realised = new Float64Array(urlCount)
  for (let query = 0; query < answers.kept.length; query++) {
    if (weights[query] === 0) continue
    const worths = worthsOf(answers, query)
    for (let i = 0; i < worths.length; i++)
      realised[answers.urls[query * answers.depth + i]] += weights[query] * worths[i]
  }
  return realised
}

/** Worths are whole numbers of these in buckets: what several of them add up to does not depend on who adds what. */
const GRAINS = 2 ** 40

/** The same in one of many buckets, whose answers are those of all; and what one of all fetched pages is worth. */
export function wholeWorth(
  answers: QueryAnswers,
  weights: ArrayLike<number>,
  urlCount: number,
  visits: number,
): { readonly realised: Float64Array; readonly mean: number } {
  let total = 0
  for (let query = 0; query < answers.kept.length; query++)
    if (weights[query] > 0)
      for (const worth of worthsOf(answers, query)) total += weights[query] * worth
  const realised = realisedWorth(answers, weights, urlCount).map(
    (worth) => Math.round(worth * GRAINS) / GRAINS,
  )
  return { realised, mean: total > 0 && visits > 0 ? total / visits : 1 }
}
