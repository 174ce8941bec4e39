import type { Bids } from '../bids.ts'
import type { HistoryFacts } from '../facts/refresh-facts.ts'
import { ageInDays, daysText } from './age.ts'

/**
 * Fetches what is most overdue by the interval of its own that each page has: a fifth shorter after every
 * change, a fifth longer after every fetch without one. For comparison: Nutch itself takes no notice of how
 * far beyond its interval a page is, and the budget here mostly falls short of what all intervals ask for.
 */
export function nutchAdaptive({ pages, ages, history }: HistoryFacts): Bids {
  return {
    purpose: 'refresh',
    urls: pages,
    gains: Float64Array.from(pages, (url, i) => ageInDays(ages[i]) / history.intervalOf(url)),
    why: (bid) =>
      `${daysText(ages[bid])} old, due every ${history.intervalOf(pages[bid]).toFixed(1)} days`,
  }
}
