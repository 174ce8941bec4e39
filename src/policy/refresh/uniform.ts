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
