import { type CalibrationGroup, calibrationGroups } from '#numeric/learning/calibration.ts'
import { rankCorrelation } from '#numeric/learning/rank-correlation.ts'
import type { Bids } from '#policy/bids.ts'
import { topVisibility } from '#search/visibility.ts'
import type { OrderingSetup } from './ordering.ts'

/** What bids promised, against what came: results among the first K, per searcher. */
export interface BidCalibration {
  /** Tenths of the candidates, by rising bid. */
  readonly groups: readonly CalibrationGroup[]
  readonly rankCorrelation: number
}

/** Compares bids that count results with how often test searchers see the page when all is crawled. */
export function bidCalibration(
  { truth, setting, split, k = 10 }: Pick<OrderingSetup, 'truth' | 'setting' | 'split' | 'k'>,
  { urls, gains }: Bids,
): BidCalibration {
  const seen = truth.impacts(split.testWeights, topVisibility(k))
  const [training, test] = [split.trainingWeights, split.testWeights].map((weights) =>
    weights.reduce((sum, weight) => sum + weight, 0),
  )
  const pageOf = (url: number) => truth.pageAt(setting.state.frontier.urls.urlOf(url))
  const predicted = gains.map((gain) => gain / training)
  const realised = Float64Array.from(urls, (url) => (seen[pageOf(url) ?? -1] ?? 0) / test)
  return {
    groups: calibrationGroups(predicted, realised),
    rankCorrelation: rankCorrelation(predicted, realised),
  }
}
