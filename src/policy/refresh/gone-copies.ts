import { HORIZON_DAYS } from '../budget/one-currency.ts'
import type { GoneFacts } from '../facts/held-pages.ts'

/** What is expected of a copy whose page may be gone. */
interface GoneOutlook {
  readonly chance: number
  /**
   * Days of loss that a look saves. What vanishes in the usual course has been gone for some of the copy's age, and will be
   * looked for again; less so where signs speak against it. Of what they say beyond that a look is the last: it counts as
   * long as a new page does.
   */
  readonly days: number
}

/** What is expected of the copy at a place, of that age. */
export function goneOutlook(facts: GoneFacts, place: number, ageDays: number): GoneOutlook {
  const aDay = facts.goneADay[place]
  const usual = -Math.expm1(-aDay * ageDays)
  const belief = believed(usual, facts.oddsFactors[place])
  const chance = usual * belief
  const usualDays = aDay * ageDays < 1e-3 ? (usual * ageDays) / 2 : ageDays - usual / aDay
  const beyond = Math.max(0, chance - usual)
  return { chance, days: usualDays * Math.min(1, belief) + beyond * HORIZON_DAYS }
}

/** By what factor a signal that raises the odds of something raises its chance. */
export function believed(chance: number, oddsFactor: number): number {
  return oddsFactor === 1 ? 1 : oddsFactor / (oddsFactor * chance + 1 - chance)
}
