import { LazyOrder } from '#numeric/lazy-order.ts'
import type { Bidder } from '../bidder.ts'
import type { Bids } from '../bids.ts'
import { type TieRule, tieBreak } from '../budget/ties.ts'

/** More than any link-based gain: whoever promises freshness wants it kept first. */
const BEFORE_ALL_ELSE = 1e9
/** So much of a plan may be for copies that are too old: the best of the rest must not wait until all are done. */
const SHARE_OF_PLAN = 0.5

/** Bids for every copy older than the limit of its URL, the oldest first; what that gains searchers is left to others. */
export function olderThan(secondsOf: (url: number) => number): Bidder {
  return {
    name: 'older-than',
    summary: 'copies older than a limit, the oldest first',
    task: 'refresh',
    unit: 'rank',
    needs: ['pages', 'ages'],
    bids: ({ pages, ages }) => {
      const old: number[] = []
      for (let i = 0; i < pages.length; i++) if (ages[i] > secondsOf(pages[i])) old.push(i)
      return {
        purpose: 'refresh',
        urls: Uint32Array.from(old, (i) => pages[i]),
        gains: Float64Array.from(old, (i) => BEFORE_ALL_ELSE + ages[i] / secondsOf(pages[i])),
        expected: new Float64Array(old.length),
        why: (bid) => `the copy is ${(ages[old[bid]] / 86_400).toFixed(1)} days old`,
      }
    },
  }
}

/** Of such bids those that a plan of so many fetches has room for: the oldest. Other copies are left to other bidders. */
export function oldestInPlan(bids: Bids, fetches: number, ties: TieRule = {}): Bids {
  const most = Math.ceil(SHARE_OF_PLAN * fetches)
  const { urls, gains } = bids
  if (urls.length <= most) return bids
  const order = new LazyOrder(gains, tieBreak(urls, ties))
  const oldest = Array.from({ length: most }, () => order.next()!)
  return {
    purpose: bids.purpose,
    urls: Uint32Array.from(oldest, (bid) => urls[bid]),
    gains: Float64Array.from(oldest, (bid) => gains[bid]),
    expected: new Float64Array(oldest.length),
    why: (bid) => bids.why(oldest[bid]),
  }
}
