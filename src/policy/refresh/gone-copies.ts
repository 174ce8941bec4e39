import type { GoneFacts } from '#frontier/refresh-facts.ts'
import { HORIZON_DAYS } from '../budget/one-currency.ts'
import { believed } from './odds.ts'

/** What is thought of a copy whose page may be gone. */
export interface GoneOutlook {
  readonly chance: number
  /**
   * Days of loss that a look saves. What vanishes in the usual course has been gone for some of the copy's age, and will be
   * looked for again. Of what signs say beyond that a look is the last: it counts as long as a new page does.
   */
  readonly days: number
}

/** What is thought of the copy at a place, of that age. */
export function goneOutlook(facts: GoneFacts, place: number, ageDays: number): GoneOutlook {
  const aDay = facts.goneADay[place]
  const usual = -Math.expm1(-aDay * ageDays)
  const chance = usual * believed(usual, facts.oddsFactors[place])
  const usualDays = aDay * ageDays < 1e-3 ? (usual * ageDays) / 2 : ageDays - usual / aDay
  return { chance, days: usualDays + Math.max(0, chance - usual) * HORIZON_DAYS }
}
