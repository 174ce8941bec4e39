import type { RefreshFacts } from '#frontier/graph-facts.ts'
import type { Bids } from '../bids.ts'
import { ageInDays, daysText } from './age.ts'

/** Fetches the copy that is the oldest, so that every page has its turn. */
export function uniformRefresh({ pages, ages }: RefreshFacts): Bids {
  return {
    purpose: 'refresh',
    urls: pages,
    gains: Float64Array.from(ages, ageInDays),
    why: (bid) => `the copy is ${daysText(ages[bid])} old`,
  }
}
