import { powerVisibility } from '#search/gain/visibility.ts'
import type { QueryAnswers, Worth } from '../facts/acquisition-facts.ts'

/** Searchers look at so many results. */
export const TOP_K = 10

/**
 * What each kept result of a query is worth, had it been the last to be fetched: the others were there
 * before. Under `gain` as a share of the highest score possible, so that queries can be learnt from together;
 * `unitOf` is what to multiply by.
 */
export function worthsOf(answers: QueryAnswers, query: number, worth: Worth): Float64Array {
  const { kept, bounds, meanGain } = answers
  if (worth === 'top') return new Float64Array(kept[query]).fill(1, 0, TOP_K)
  const gains = gainsOf(answers, query)
  const scale = worth === 'gain' ? 1 / bounds[query] : 1 / (2 * meanGain)
  for (let i = 0; i < gains.length; i++) {
    gains[i] *= scale
    if (worth === 'both' && i < TOP_K) gains[i] += 0.5
  }
  return gains
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

/** What a worth of 1 to a query counts among those of other queries, for each asker. */
export function unitOf(answers: QueryAnswers, query: number, worth: Worth): number {
  return worth === 'gain' ? answers.bounds[query] : 1
}

/**
 * What a value is to be multiplied by to be quality a search, the currency of bids: where results are
 * counted, each is taken for a mean one.
 */
export function qualityOfOne(answers: Pick<QueryAnswers, 'meanGain'>, worth: Worth): number {
  return worth === 'gain' ? 1 : answers.meanGain
}

/** What every URL is worth now to all queries together, by weights of the queries. */
export function realisedWorth(
  answers: QueryAnswers,
  weights: ArrayLike<number>,
  worth: Worth,
  urlCount: number,
): Float64Array {
  const realised = new Float64Array(urlCount)
  for (let query = 0; query < answers.kept.length; query++) {
    if (weights[query] === 0) continue
    const unit = weights[query] * unitOf(answers, query, worth)
    const worths = worthsOf(answers, query, worth)
    for (let i = 0; i < worths.length; i++)
      realised[answers.urls[query * answers.depth + i]] += unit * worths[i]
  }
  return realised
}
