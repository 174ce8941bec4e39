import type { GainsSoFar } from '#learn/gains-so-far.ts'
import type { Outlook } from '#policy/budget/outlook.ts'
import type { Plan } from '#policy/planning/plan.ts'

/** What the rest of a budget is expected to gain. */
export interface LeftToGain extends Outlook {
  /** More than this is gained in one case of twenty. */
  readonly upTo: number
  /** That as a share of what was gained. */
  readonly shareOfGained: number
  /** What as many fetches would gain if they went on gaining as the latest did. */
  readonly atLatestPace: number
}

/** Fewer measured fetches tell nothing. */
const TELLING_FETCHES = 50
/** One-sided, 95 %. */
const NORMAL_95 = 1.645
/**
 * Pages compete for the same answers, so the more are held, the less one gains. Over as many fetches again as were made,
 * gains came to the square root of a half of what was expected of each by itself; single forecasts were off by so much.
 */
const DECLINE = 0.5
const FORECAST_ERROR = 0.5

/**
 * What all that the budget affords is expected to gain: the best known URLs at their corrected bids, as far as such bids
 * came true of late, then those that fetches will bring, at the latest pace; less what they take from each other.
 * Undefined where nobody can tell.
 */
export function leftToGain(
  { fetches, outlook }: Pick<Plan, 'fetches' | 'outlook'>,
  gains: GainsSoFar,
  affords: number,
): LeftToGain | undefined {
  if (fetches.length === 0 || !outlook || gains.fetches < TELLING_FETCHES) return undefined
  if (gains.gain <= 0) return undefined
  const known = outlook(affords)
  const pace = gains.pace()
  const truth = gains.truth()
  // Where nothing was ever expected, known URLs are worth what others were.
  const [expected, ratio] = truth ? [known.gain, truth] : [known.fetches, pace]
  const found = Math.min(affords - known.fetches, urlsBrought(known.fetches, gains.newUrls()))
  const all = known.fetches + found
  const decline = (1 + all / gains.fetches) ** -DECLINE
  const gain = (expected * ratio.mean + found * pace.mean) * decline
  const errors = [expected * ratio.error, found * pace.error].map((error) => error * decline)
  const error = Math.hypot(...errors, FORECAST_ERROR * gain)
  return {
    ...{ fetches: Math.round(all), gain, upTo: gain + NORMAL_95 * error },
    ...{ shareOfGained: gain / gains.gain, atLatestPace: pace.mean * all },
  }
}

/** URLs that will be found through so many, and through those again, if each brings that many new ones. */
function urlsBrought(known: number, newUrls: number): number {
  return newUrls < 1 ? (known * newUrls) / (1 - newUrls) : Number.POSITIVE_INFINITY
}

/** Whether a crawl has gained enough: what is left is surely less than this share of what was gained. */
export function isEnough(left: LeftToGain | undefined, gained: number, share?: number): boolean {
  return left !== undefined && share !== undefined && left.upTo < share * gained
}
