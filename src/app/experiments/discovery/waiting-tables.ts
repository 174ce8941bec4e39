import {
  betterOf,
  type CalibrationBin,
  chosenByOthers,
  type LeftOutRevisits,
  pooledBins,
} from '#lab/experiments/discovery/left-out.ts'
import {
  budgetSteps,
  type SiteRevisits,
  type WaitingRatio,
  waitingRatios,
} from '#lab/experiments/discovery/waiting-ratios.ts'
import { quotient } from '#lab/report/rows.ts'
import type { SignWeights } from '#learn/yields/hub-signs.ts'

/** Whom every way of revisiting is compared with; the second is the one to beat. */
const RIVALS: readonly string[] = ['indegree', 'yield+indegree']
const BETTER = 'the better of both'

type LeftOutSite = LeftOutRevisits & SiteRevisits

/** How long new pages wait, and what only archives left out can tell. */
export type WaitingTables = ReturnType<typeof revisitTables> & {
  readonly leftOut: readonly LeftOutSite[]
  readonly calibration: readonly CalibrationBin[]
  readonly calibrated: ReturnType<typeof calibratedRows>
  readonly weights: readonly (SignWeights & { readonly archive: string })[]
  /** Every way of revisiting on every archive. */
  readonly bySite: readonly SiteRevisits[]
}

/** Ratios of waiting against the usual rivals. */
export function revisitTables(
  rows: readonly SiteRevisits[],
  seed: number,
): {
  readonly waiting: readonly WaitingRatio[]
  readonly budgetSteps: ReturnType<typeof budgetSteps>
} {
  const all = [...rows, ...betterOf(rows, RIVALS, BETTER)]
  return {
    waiting: waitingRatios(all, [...RIVALS, BETTER], seed).filter(
      ({ policy }) => policy !== BETTER,
    ),
    budgetSteps: budgetSteps(rows, seed),
  }
}

/** The same for archives left out, with what the others chose. */
export function leftOutTables(
  rows: readonly LeftOutSite[],
  bins: readonly CalibrationBin[],
  seed: number,
) {
  const chosen = chosenByOthers(rows)
  return {
    ...revisitTables(chosen, seed),
    bySite: chosen,
    calibrated: calibratedRows(bins),
  }
}

function calibratedRows(bins: readonly CalibrationBin[]) {
  return pooledBins(bins).map(({ from, revisits, expected, found }) => ({
    from,
    revisits,
    expected: quotient(expected, revisits),
    found: quotient(found, revisits),
    ratio: quotient(expected, found),
  }))
}
