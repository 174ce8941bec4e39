import type { Bidder } from '../bidder.ts'
import type { Facts } from '../facts/facts.ts'
import { ageInDays, daysText } from './age.ts'

/** A page that never gained is expected to gain what all pages do on average. */
export const userCentric: Bidder = byPace(
  'uc',
  'measured gain a day times age',
  ['pages', 'ages', 'gains'],
  ({ gains }) =>
    () =>
      gains.meanPace,
)

/** A page that never gained is expected to gain in proportion to how often it is seen. */
export const userCentricByViews: Bidder = byPace(
  'uc-views',
  'the same, with views as the prior of pages that never gained',
  ['pages', 'ages', 'gains', 'views'],
  ({ gains, views }) =>
    (i) =>
      gains.pacePerView * views[i],
)

/**
 * The gain per day of past fetches, averaged over them, times the age of the copy.
 *
 * @paper PandeyOlston2005 §6.1.3 — pages that never gained get a prior instead of nothing for ever.
 */
function byPace(
  name: string,
  summary: string,
  needs: Bidder['needs'],
  priorOf: (facts: Facts) => (place: number) => number,
): Bidder {
  return {
    ...{ name, summary, needs, task: 'refresh', unit: 'rank' },
    bids: (facts) => {
      const { pages, ages, gains } = facts
      const prior = priorOf(facts)
      const paceOf = (i: number): number => gains.paceOf(pages[i]) || prior(i)
      return {
        purpose: 'refresh',
        urls: pages,
        gains: Float64Array.from(pages, (_, i) => paceOf(i) * ageInDays(ages[i])),
        why: (bid) => `gains ${paceOf(bid).toPrecision(3)} a day, ${daysText(ages[bid])} old`,
      }
    },
  }
}
