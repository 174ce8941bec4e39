import { SECONDS_A_DAY } from '#learn/histories.ts'
import type { Bidder } from '#policy/bidder.ts'
import { yieldBidder } from '#policy/discover/yield.ts'
import type { Truth } from './truth.ts'

/** A copy found to differ at a weekly look has been so for half a week on average. */
const HALF_A_WEEK_DAYS = 3.5
const whyTruth = () => 'this is known'

/** What pages not fetched are worth, by one who knows, in place of what is estimated. */
export function knownValues(gainOf: (url: number) => number): Bidder {
  return {
    name: 'impact',
    summary: 'what new pages are really worth',
    task: 'acquire',
    unit: 'quality',
    needs: ['candidates'],
    bids: ({ candidates }) => ({
      purpose: 'acquire',
      urls: candidates,
      gains: Float64Array.from(candidates, gainOf),
      why: whyTruth,
    }),
  }
}

/** What stale copies really lose, for as long as they have lost it. */
export function trueLosses(truth: Truth): Bidder {
  return {
    name: 'quality',
    summary: 'what stale copies really lose',
    task: 'refresh',
    unit: 'quality',
    needs: ['pages'],
    bids: ({ pages }) => {
      const expected = Float64Array.from(pages, (url) => truth.gainOf(url))
      const gains = expected.map((loss, i) =>
        loss > 0 ? loss * (truth.daysAsNow(truth.pageOf(pages[i])!) + HALF_A_WEEK_DAYS) : 0,
      )
      return { purpose: 'refresh', urls: pages, gains, expected, why: whyTruth }
    },
  }
}

/** Which links are waiting on the pages held; those of pages not fetched are estimated. */
export function trueYields(truth: Truth): Bidder {
  return {
    ...yieldBidder,
    needs: [...yieldBidder.needs, 'ages'],
    bids: (facts) => {
      const { pages, ages, yields } = facts
      const links = Float64Array.from(pages, (url) => {
        let waiting = 0
        truth.forEachWaiting(url, () => {
          waiting++
        })
        return waiting
      })
      const days = Float32Array.from(ages, (seconds) => seconds / SECONDS_A_DAY)
      const held = { pages, links, days }
      const known = { ...yields, held, burstFactors: new Float64Array(pages.length).fill(1) }
      return yieldBidder.bids(Object.create(facts, { yields: { value: known } }))
    },
  }
}
