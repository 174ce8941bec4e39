import type { Bidder } from '../bidder.ts'
import { ageInDays, daysText } from './age.ts'

/** Fetches the copy that is the oldest, so that every page has its turn. */
export const uniformRefresh: Bidder = {
  name: 'uniform',
  summary: 'the oldest copy first',
  task: 'refresh',
  unit: 'rank',
  needs: ['pages', 'ages'],
  bids: ({ pages, ages }) => ({
    purpose: 'refresh',
    urls: pages,
    gains: Float64Array.from(ages, ageInDays),
    why: (bid) => `the copy is ${daysText(ages[bid])} old`,
  }),
}

/**
 * Fetches what is most overdue by the interval of its own that each page has: a fifth shorter after every
 * change, a fifth longer after every fetch without one. For comparison: Nutch itself takes no notice of how
 * far beyond its interval a page is, and the budget here mostly falls short of what all intervals ask for.
 */
export const nutchAdaptive: Bidder = {
  name: 'nutch-adaptive',
  summary: 'each page at an interval that shrinks with changes and grows without',
  task: 'refresh',
  unit: 'rank',
  needs: ['pages', 'ages', 'changes'],
  bids: ({ pages, ages, changes }) => ({
    purpose: 'refresh',
    urls: pages,
    gains: Float64Array.from(pages, (url, i) => ageInDays(ages[i]) / changes.intervalOf(url)),
    why: (bid) =>
      `${daysText(ages[bid])} old, due every ${changes.intervalOf(pages[bid]).toFixed(1)} days`,
  }),
}
