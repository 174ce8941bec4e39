import type { Bids } from '#policy/bids.ts'
import { planFetches } from '#policy/budget/scheduler.ts'
import type { FetchTimes } from '../schedules/fetch-times.ts'
import { scheduledBids } from '../schedules/period-facts.ts'
import type { HeldAnswers } from './held-answers.ts'
import type { Refresher } from './simulate.ts'

/** Fetches what was laid down for each week after `from`. */
export function scheduledRefresher(times: FetchTimes, from: number): Refresher {
  return { choose: (week) => scheduledBids(times, week - from - 1).urls }
}

/**
 * Fetches where gain a week times weeks since the last fetch is largest; gains are known beforehand.
 *
 * @paper PandeyOlston2005 §6.1.3 — pages that gain nothing are fetched when nothing else is left.
 */
export function knownGainRefresher(
  gainsPerWeek: Float64Array,
  { from, budget, seed }: { from: number; budget: number; seed: number },
): Refresher {
  const lastFetch = new Uint32Array(gainsPerWeek.length).fill(from)
  const pages = Uint32Array.from(lastFetch.keys())
  return {
    choose: (week) =>
      best(
        pages,
        gainsPerWeek.map((gain, page) => gain * (week - lastFetch[page])),
        budget,
        seed,
      ),
    learn: (week, { page }) => {
      lastFetch[page] = week
    },
  }
}

/** Knows what every page says now, and fetches what gains the most at once. */
export function clairvoyantRefresher(budget: number, seed: number): Refresher {
  return {
    choose: (_week, held) => {
      const pages = Uint32Array.from(held.clicks.keys()).filter((page) => held.isStale(page))
      const gains = Float64Array.from(pages, (page) => Math.max(0, held.trueGain(page)))
      return best(pages, gains, budget, seed)
    },
  }
}

function best(urls: Uint32Array, gains: Float64Array, budget: number, seed: number): number[] {
  const bids: Bids = { purpose: 'refresh', urls, gains, why: () => '' }
  return planFetches([bids], { budget, tieSeed: seed }).map(({ url }) => url)
}

/** Fetches nothing. */
export const noRefresher: Refresher = { choose: (_week: number, _held: HeldAnswers) => [] }
