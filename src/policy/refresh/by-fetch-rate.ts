import type { Policy } from '../bids.ts'
import type { HistoryFacts } from '../facts/refresh-facts.ts'
import { ageInDays, daysText } from './age.ts'
import { freshestRates } from './even-spacing.ts'
import { likeliestRates } from './likeliest-rate.ts'
import { harmonicRates, randomFreshestRates } from './random-spacing.ts'

type Allocation = (
  changeRates: ArrayLike<number>,
  weights: ArrayLike<number>,
  budget: number,
) => Float64Array

/**
 * Shares out the fetches there are by the likeliest change rates and clicks; who has waited longest, counted
 * in the intervals of its own, is next.
 */
function byFetchRate(allocate: Allocation): Policy<HistoryFacts> {
  return ({ pages, ages, clicks, history, fetchesPerDay }) => {
    const rates = allocate(likeliestRates(history, pages), clicks, fetchesPerDay)
    return {
      purpose: 'refresh',
      urls: pages,
      gains: rates.map((rate, i) => rate * ageInDays(ages[i])),
      why: (bid) =>
        `worth ${(rates[bid] * 30).toPrecision(3)} fetches a month, ${daysText(ages[bid])} old`,
    }
  }
}

/** Keeps the most clicks on fresh copies, were fetches evenly spaced. */
export const weightedFreshness = byFetchRate(freshestRates)
/** Keeps the most clicks on fresh copies, were fetches at random. */
export const azarRefresh = byFetchRate(randomFreshestRates)
/** Has the least harmonic staleness, weighted by clicks. */
export const lambdaCrawl = byFetchRate(harmonicRates)
