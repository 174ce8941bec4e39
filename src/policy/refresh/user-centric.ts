import type { Policy } from '../bids.ts'
import type { HistoryFacts } from '../facts/refresh-facts.ts'
import { ageInDays, daysText } from './age.ts'

/** What a page is expected to gain of which no fetch has gained anything yet. */
export type PacePrior = 'flat' | 'clicks'

/**
 * The gain per day of past fetches, averaged over them, times the age of the copy.
 *
 * @paper PandeyOlston2005 §6.1.3 — pages that never gained get a prior instead of nothing for ever: the mean
 * of all (`flat`), or in proportion to how often they are seen (`clicks`).
 */
export function userCentric(prior: PacePrior): Policy<HistoryFacts> {
  return ({ pages, ages, clicks, gains }) => {
    const { meanPace, pacePerClick } = gains
    const paceOf = (i: number): number =>
      gains.paceOf(pages[i]) || (prior === 'flat' ? meanPace : pacePerClick * clicks[i])
    return {
      purpose: 'refresh',
      urls: pages,
      gains: Float64Array.from(pages, (_, i) => paceOf(i) * ageInDays(ages[i])),
      why: (bid) => `gains ${paceOf(bid).toPrecision(3)} a day, ${daysText(ages[bid])} old`,
    }
  }
}
