import type { Purpose } from '#policy/bids.ts'
import { HORIZON_DAYS } from '#policy/budget/one-currency.ts'
import { marginalGain, smoothedPrice } from '#policy/budget/price.ts'
import type { SimulatedCrawler } from './simulated-crawler.ts'
import type { Truth } from './truth.ts'
import type { WeekPlan, WeekPlanner } from './week-planner.ts'

/**
 * Fetches whatever really is worth most: what a fetch gains at once, for as long as that will last, and what the
 * links it reveals are worth beyond the price. Greedy, so not quite the best that can be done.
 */
export function clairvoyant(crawler: SimulatedCrawler, truth: Truth): WeekPlanner {
  let price: number | undefined
  const worthOfPage = (page: number, days: number) =>
    truth.gainOfPage(page) * Math.min(HORIZON_DAYS, days)
  const linksWorth = (url: number): number => {
    let sum = 0
    truth.forEachWaiting(url, (page) => {
      sum += Math.max(0, worthOfPage(page, truth.daysToDeath(page)) - (price ?? 0))
    })
    return sum
  }
  const plan = (week: number, budget: number): WeekPlan => {
    const now = crawler.timeOf(week)
    const offers: { url: number; purpose: Purpose; worth: number }[] = []
    const offer = (url: number, task: Purpose, own: number) => {
      const links = linksWorth(url)
      offers.push({ url, purpose: links > own ? 'discover' : task, worth: own + links })
    }
    for (const url of crawler.frontier.unfetched(now)) {
      const page = crawler.pageOf[url]
      offer(url, 'acquire', worthOfPage(page, truth.daysToDeath(page)))
    }
    for (const url of crawler.frontier.refreshFacts(now).pages) {
      const page = crawler.pageOf[url]
      offer(url, 'refresh', worthOfPage(page, truth.daysToNextChange(page)))
    }
    const worths = Float64Array.from(offers, ({ worth }) => worth)
    price = smoothedPrice(price, marginalGain(worths, budget))
    offers.sort((a, b) => b.worth - a.worth || a.url - b.url)
    return { fetches: offers.slice(0, budget), price }
  }
  return { plan, learn: () => {} }
}
