import { CHANGE_RATES, type ChangeHistory } from '#learn/change-history.ts'
import type { Bidder } from '../bidder.ts'
import { ageInDays, daysText } from './age.ts'
import { freshestRates } from './even-spacing.ts'
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

/** One change and one quiet spell that nobody saw, each of so many days: they keep the estimate finite and above 0. */
const IMAGINED_DAYS = 0.5

/**
 * Gives the change rate, per day, under which a URL's history is likeliest: LambdaCrawl's own estimator, to
 * the precision that a parabola through three of the rates has.
 *
 * @paper KolobovEtAl2019 — over the rates of the grid, with a parabola between them.
 */
export function likeliestRates(history: ChangeHistory, urls: ArrayLike<number>): Float64Array {
  const imagined = CHANGE_RATES.map(
    (rate) => Math.log(-Math.expm1(-rate * IMAGINED_DAYS)) - rate * IMAGINED_DAYS,
  )
  const logs = new Float64Array(CHANGE_RATES.length)
  return Float64Array.from(urls, (url) => {
    history.logLikelihoods(url, logs)
    let best = 0
    for (let rate = 0; rate < logs.length; rate++) {
      logs[rate] += imagined[rate]
      if (logs[rate] > logs[best]) best = rate
    }
    return CHANGE_RATES[best] * 2 ** peakOffset(logs, best)
  })
}

/** How far from the best of equally spaced values the parabola through it and its neighbours peaks, in steps. */
function peakOffset(values: Float64Array, best: number): number {
  if (best === 0 || best === values.length - 1) return 0
  const [before, at, after] = [values[best - 1], values[best], values[best + 1]]
  const bend = before - 2 * at + after
  return bend < 0 ? (before - after) / (2 * bend) : 0
}
