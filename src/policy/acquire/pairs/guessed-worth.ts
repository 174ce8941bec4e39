import { powerVisibility } from '#search/gain/visibility.ts'
import type { AcquisitionFacts } from '../../facts/acquisition-facts.ts'
import { TOP_K } from '../../facts/worth.ts'
import { guessedShares } from './expected-score.ts'
import type { Pairs } from './pair-features.ts'

/**
 * What pairs are worth before anything was learnt: what a score guessed from words
 * would bring to the query as it is answered now. Links from results have no say yet: what they are worth
 * nobody knows, and guesses that are small for one query add up over many.
 */
export function guessedWorths(
  { answers }: Pick<AcquisitionFacts, 'answers'>,
  { table, queries }: Pick<Pairs, 'table' | 'queries'>,
): Float64Array {
  const column = (name: string) => table.columns[table.names.indexOf(name)]
  const [best, last] = [column('best score'), column('score of the last place')]
  const results = column('results')
  return guessedShares(table).map((share, row) => {
    const inTopTen = share > 0 ? share / (share + last[row]) : 0
    const gain = gainOf(share, best[row], last[row], Math.round(Math.expm1(results[row])))
    return 0.5 * inTopTen + (0.5 * gain * answers.bounds[queries[row]]) / answers.meanGain
  })
}

/** What a score adds if the results between the best and the last place lie evenly; all as shares. */
function gainOf(share: number, best: number, last: number, results: number): number {
  const aboveBest = Math.max(0, share - best)
  const between = Math.max(0, Math.min(share, best) - last)
  const belowLast = Math.min(share, last)
  const ranks = Math.min(results, TOP_K - 1)
  return aboveBest + VISIBILITY_BELOW_BEST[ranks] * between + BELOW_TOP * belowLast
}

/** Mean visibility of the ranks from 2 on, by how many they are. */
const VISIBILITY_BELOW_BEST = Array.from({ length: TOP_K }, (_, ranks) => {
  let sum = 0
  for (let rank = 2; rank < ranks + 2; rank++) sum += powerVisibility(rank)
  return ranks > 0 ? sum / ranks : 0
})
const BELOW_TOP = powerVisibility(TOP_K + 1)
