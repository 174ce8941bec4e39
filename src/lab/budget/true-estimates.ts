import { NOBODY } from '#frontier/urls/url-states.ts'
import { Histories } from '#learn/histories.ts'
import { YieldBook } from '#learn/yields/yield-book.ts'
import type { YieldExpectations } from '#learn/yields/yield-facts.ts'
import type { Bidder } from '#policy/bidder.ts'
import type { Truth } from './truth.ts'

/** A copy found to differ at a weekly look has been so for half a week on average. */
const HALF_A_WEEK_DAYS = 3.5
const whyTruth = () => 'this is known'

/** What pages not fetched are worth, by one who knows, in place of what is estimated. */
export function knownValues(gainOf: (url: number) => number): Bidder {
  return {
    name: 'known-values',
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
    name: 'true-losses',
    summary: 'what stale copies really lose',
    task: 'refresh',
    unit: 'quality',
    needs: ['pages'],
    bids: ({ pages }) => {
      const expected = Float64Array.from(pages, (url) => truth.gainOf(url))
      const gains = expected.map((loss, i) =>
        loss > 0 ? loss * (truth.daysAsNow(pages[i]) + HALF_A_WEEK_DAYS) : 0,
      )
      return { purpose: 'refresh', urls: pages, gains, expected, why: whyTruth }
    },
  }
}

/** Histories whose book of yields knows which links are waiting on the pages held. */
export class SeeingHistories extends Histories {
  override readonly yields: YieldBook

  constructor(truth: Truth) {
    super()
    this.yields = new SeeingYields(truth)
  }
}

class SeeingYields extends YieldBook {
  readonly #truth: Truth

  constructor(truth: Truth) {
    super()
    this.#truth = truth
  }

  override expectations(time: number, pages: Uint32Array): YieldExpectations {
    const own = Float64Array.from(pages, (url) => {
      let waiting = 0
      if (this.holds(url))
        this.#truth.forEachWaiting(url, () => {
          waiting++
        })
      return waiting
    })
    return {
      pages,
      own,
      ownDays: Float32Array.from(pages, (url) => Math.max(0, time - this.lastVisitOf(url))),
      shared: new Float64Array(pages.length),
      sharedDays: new Float32Array(pages.length),
      rivals: new Int32Array(pages.length).fill(NOBODY),
      isUntried: new Uint8Array(pages.length),
      isInMenus: new Uint8Array(pages.length),
    }
  }
}
