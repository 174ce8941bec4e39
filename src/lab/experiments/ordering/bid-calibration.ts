import { type CalibrationGroup, calibrationGroups } from '#numeric/learning/calibration.ts'
import { rankCorrelation } from '#numeric/learning/rank-correlation.ts'
import type { Bids } from '#policy/bids.ts'
import type { OrderingSetup } from './ordering.ts'

/** What bids promised, against what came: quality a search. */
export interface BidCalibration {
  /** Tenths of the candidates, by rising bid. */
  readonly groups: readonly CalibrationGroup[]
  readonly rankCorrelation: number
}

/** Compares bids of quality with what test searchers would lose without the page when all is crawled. */
export function bidCalibration(
  { truth, setting, split }: Pick<OrderingSetup, 'truth' | 'setting' | 'split'>,
  { urls, gains }: Bids,
): BidCalibration {
  const came = truth.gains(split.testWeights)
  const pageOf = (url: number) => truth.pageAt(setting.state.frontier.urls.urlOf(url))
  const realised = Float64Array.from(urls, (url) => came[pageOf(url) ?? -1] ?? 0)
  return {
    groups: calibrationGroups(gains, realised),
    rankCorrelation: rankCorrelation(gains, realised),
  }
}
