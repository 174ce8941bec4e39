import type { Bidder } from '../bidder.ts'
import { ageInDays, daysText } from './age.ts'
import { freshestRates } from './even-spacing.ts'
import { likeliestRates } from './likeliest-rate.ts'
import { harmonicRates, randomFreshestRates } from './random-spacing.ts'

type Allocation = (
  changeRates: ArrayLike<number>,
  weights: ArrayLike<number>,
  budget: number,
) => Float64Array

/** Keeps the most views on fresh copies, were fetches evenly spaced. */
export const weightedFreshness: Bidder = byFetchRate(
  'cho-gm',
  'most views of fresh copies, even spacing',
  freshestRates,
)
/** Keeps the most views on fresh copies, were fetches at random. */
export const azarRefresh: Bidder = byFetchRate(
  'azar',
  'most views of fresh copies, random spacing',
  randomFreshestRates,
)
/** Has the least harmonic staleness, weighted by views. */
export const lambdaCrawl: Bidder = byFetchRate(
  'lambdacrawl',
  'least harmonic staleness, weighted by views',
  harmonicRates,
)

/**
 * Allots the fetches there are to pages by their likeliest change rates and views. The next page is the one that has
 * waited longest, in multiples of its own interval between fetches.
 */
function byFetchRate(name: string, summary: string, allocate: Allocation): Bidder {
  return {
    ...{ name, summary, task: 'refresh', unit: 'rank' },
    needs: ['pages', 'ages', 'views', 'changes', 'fetchesPerDay'],
    bids: ({ pages, ages, views, changes, fetchesPerDay }) => {
      const rates = allocate(likeliestRates(changes, pages), views, fetchesPerDay)
      return {
        purpose: 'refresh',
        urls: pages,
        gains: rates.map((rate, i) => rate * ageInDays(ages[i])),
        why: (bid) =>
          `worth ${(rates[bid] * 30).toPrecision(3)} fetches a month, ${daysText(ages[bid])} old`,
      }
    },
  }
}
