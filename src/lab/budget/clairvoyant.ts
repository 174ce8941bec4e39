import type { Bids, Purpose } from '#policy/bids.ts'
import { addedBids } from '#policy/budget/added-bids.ts'
import { HORIZON_DAYS } from '#policy/budget/one-currency.ts'
import { marginalGain, smoothedPrice } from '#policy/budget/price.ts'
import { planFetches } from '#policy/budget/scheduler.ts'
import type { Planner } from '#policy/planning/plan.ts'
import type { WorldCrawl } from '../worlds/world-crawl.ts'
import type { Truth } from './truth.ts'

/**
 * Fetches whatever really is worth most: what a fetch gains at once, for as long as that will last, and what the
 * links it reveals are worth beyond the price. Greedy, so not quite the best that can be done.
 */
export function clairvoyant({ state }: WorldCrawl, truth: Truth): Planner {
  let price: number | undefined
  const lastingWorth = (page: number | undefined, days: (page: number) => number) =>
    page === undefined ? 0 : truth.gainOfPage(page) * Math.min(HORIZON_DAYS, days(page))
  const untilDeath = (page: number) => truth.daysToDeath(page)
  const untilChange = (page: number) => truth.daysToNextChange(page)
  const linksWorth = (url: number): number => {
    let sum = 0
    truth.forEachWaiting(url, (page) => {
      sum += Math.max(0, lastingWorth(page, untilDeath) - (price ?? 0))
    })
    return sum
  }
  const bid = (purpose: Purpose, urls: Uint32Array, worthOf: (url: number) => number): Bids => ({
    ...{ purpose, urls, gains: Float64Array.from(urls, worthOf) },
    why: () => 'this is known',
  })
  return {
    renew: async () => {},
    plan: ({ now, candidates, isUnderWay, limits, affords }) => {
      const { pages } = state.frontier.refreshFacts(now, (url) => !isUnderWay(url))
      const bids = [
        bid('acquire', candidates, (url) => lastingWorth(truth.pageOf(url), untilDeath)),
        bid('refresh', pages, (url) => lastingWorth(truth.pageOf(url), untilChange)),
        bid('discover', Uint32Array.from([...candidates, ...pages]), linksWorth),
      ]
      price = smoothedPrice(price, marginalGain(addedBids(bids).gains, affords))
      return { fetches: planFetches(bids, limits), price }
    },
  }
}
