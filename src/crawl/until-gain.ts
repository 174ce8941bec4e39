import { type GainsSoFar, sumOfGains } from '#learn/gains-so-far.ts'
import type { Outlook } from '#policy/budget/outlook.ts'
import type { Plan } from '#policy/planning/plan.ts'

/** What is left where a crawl stops. */
export interface LeftToGain extends Outlook {
  /** What as many fetches would gain if they went on gaining as the latest did. */
  readonly atLatestPace: number
}

/**
 * What a fetch may be believed to gain, by the latest ones. Where all gain came from few fetches, as where few
 * queries are known, the latest may just have missed: those of the whole crawl then count too, by as many
 * fetches as there were for each that gained.
 */
export function paceOf({ all, lately }: GainsSoFar): number {
  if (all.gain <= 0) return 0
  const latest = sumOfGains(lately)
  const fetchesForAGain = (all.fetches * all.squares) / all.gain ** 2
  const mean = all.gain / all.fetches
  return (latest.gain + fetchesForAGain * mean) / (latest.fetches + fetchesForAGain)
}

/**
 * What would be left to gain, if the next fetches are not worth this share of what was gained; undefined if
 * they are, or nobody can tell. Young crawls expect too little and know too few URLs, so their pace is believed
 * if it is higher. One looks `ahead` so many fetches whether or not the budget `affords` them: its end must not
 * look like the end of gains.
 */
export function littleLeft(
  { fetches, outlook }: Pick<Plan, 'fetches' | 'outlook'>,
  share: number,
  gains: GainsSoFar,
  { ahead, affords }: { readonly ahead: number; readonly affords: number },
): LeftToGain | undefined {
  if (fetches.length === 0 || outlook === undefined || gains.all.gain <= 0) return undefined
  const enough = share * gains.all.gain
  const pace = paceOf(gains)
  if (ahead * pace >= enough || outlook(ahead).gain >= enough) return undefined
  const left = outlook(affords)
  return { ...left, atLatestPace: pace * left.fetches }
}
