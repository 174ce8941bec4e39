import { mixHash } from '#numeric/hash.ts'
import { fitBoostedTrees, predictBoostedTrees } from '#numeric/learning/boosted-trees.ts'
import { calibrated, fitCalibrator } from '#numeric/learning/calibration.ts'
import { selectRows } from '#numeric/learning/feature-table.ts'
import { powerVisibility } from '#search/gain/visibility.ts'
import type { AcquisitionFacts, AcquisitionModel } from '../../facts/acquisition-facts.ts'
import { TOP_K, worthsOf } from '../../facts/worth.ts'
import { guessedShares } from './expected-score.ts'
import type { Pairs } from './pair-features.ts'

/** Learning from more pairs than this takes longer and tells no more. */
const MOST_ROWS = 24_000
/** A guess from words counts as much as so many hits. */
const GUESS_WORTH_HITS = 50

/** What each pair's page turned out to be worth to its query. */
export function pairWorths(
  { answers }: Pick<AcquisitionFacts, 'answers'>,
  { queries, ranks }: Pairs,
): Float64Array {
  let query = -1
  let worths: Float64Array = new Float64Array(0)
  return Float64Array.from(queries, (queryOfRow, row) => {
    if (queryOfRow !== query) {
      query = queryOfRow
      worths = worthsOf(answers, query)
    }
    return ranks[row] > 0 ? worths[ranks[row] - 1] : 0
  })
}

/** The half of the pages that a URL belongs to: each half is judged by what the other half taught. */
export function halfOf(url: number): 0 | 1 {
  return (mixHash(0x5eed, url) & 1) as 0 | 1
}

/** A model of worth by pairs, with what it says of each of them without having seen its page. */
interface FittedPairs {
  readonly model: Pick<AcquisitionModel, 'pairs' | 'pairCalibrator' | 'hitsSeen'>
  readonly predicted: Float64Array
}

/** Learns what pairs are worth from fetched pages. */
export function fitPairs(
  { table, queries, urls }: Pick<Pairs, 'table' | 'queries' | 'urls'>,
  worths: Float64Array,
): FittedPairs {
  const rows = Uint32Array.from(worths.keys())
  const hits = rows.filter((row) => worths[row] > 0).length
  const hitShare = Math.min(1, MOST_ROWS / 2 / Math.max(1, hits))
  const missShare = Math.min(1, MOST_ROWS / 2 / Math.max(1, rows.length - hits))
  const shareOf = (row: number) => (worths[row] > 0 ? hitShare : missShare)
  const keyOf = (row: number) => mixHash(queries[row], urls[row])
  const isKept = (row: number) => keyOf(row) < shareOf(row) * 0x1_0000_0000
  const pairs = ([0, 1] as const).map((half) => {
    const kept = rows.filter((row) => halfOf(urls[row]) !== half && isKept(row))
    const targets = Float64Array.from(kept, (row) => worths[row])
    return fitBoostedTrees(selectRows(table, kept), targets, {
      weights: Float64Array.from(kept, (row) => 1 / shareOf(row)),
      trees: 40,
      leaves: 16,
      learningRate: 0.15,
      bins: 48,
      minLeafWeight: 40,
      l2: 3,
      sampled: 0.5,
      keys: Uint32Array.from(kept, keyOf),
    })
  })
  const predicted = new Float64Array(rows.length)
  for (const half of [0, 1] as const) {
    const own = rows.filter((row) => halfOf(urls[row]) === half)
    const values = predictBoostedTrees(pairs[half], selectRows(table, own))
    own.forEach((row, i) => {
      predicted[row] = values[i]
    })
  }
  const pairCalibrator = fitCalibrator(predicted, worths, { groups: 20 })
  for (let row = 0; row < predicted.length; row++)
    predicted[row] = calibrated(pairCalibrator, predicted[row])
  return { model: { pairs, pairCalibrator, hitsSeen: hits }, predicted }
}

/** What pages not fetched are expected to be worth to queries. */
export function predictPairs(
  facts: Pick<AcquisitionFacts, 'model' | 'answers'>,
  pairs: Pick<Pairs, 'table' | 'queries'>,
): Float64Array {
  const guessed = guessedWorths(facts, pairs)
  const { model } = facts
  const { table } = pairs
  if (model === undefined) return guessed
  const trust = model.hitsSeen / (model.hitsSeen + GUESS_WORTH_HITS)
  const sums = new Float64Array(table.rows)
  for (const trees of model.pairs) {
    const values = predictBoostedTrees(trees, table)
    for (let row = 0; row < sums.length; row++) sums[row] += values[row] / model.pairs.length
  }
  return sums.map(
    (value, row) => trust * calibrated(model.pairCalibrator, value) + (1 - trust) * guessed[row],
  )
}

/**
 * What pairs are worth before anything was learnt: what a score guessed from words
 * would bring to the query as it is answered now. Links from results have no say yet: what they are worth
 * nobody knows, and guesses that are small for one query add up over many.
 */
function guessedWorths(
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
