import { LazyOrder } from '#numeric/lazy-order.ts'
import type { Bids } from '../bids.ts'
import { type AddedBids, addedBids, type BidSum, bidSumsOf } from './added-bids.ts'
import { type FetchQuota, QuotaState } from './quota.ts'
import { type TieRule, tieBreak } from './ties.ts'

/** What a plan may spend, on what at most, and what goes first among equals. */
export interface FetchLimits extends TieRule {
  readonly budget: number
  readonly quotas?: readonly FetchQuota[]
  /** What a fetch of a URL costs if it is to be rendered; without it, and for all others, 1. */
  readonly costOf?: (url: number) => number | undefined
}

/** `gain` is what it was chosen by: the sum of the parts, or where shares are fixed that of its purpose. */
export interface PlannedFetch extends BidSum {
  readonly url: number
  readonly gain: number
  /** If it was sampled: the chance that it had. */
  readonly probability?: number
  /** It is to be rendered, at the cost of so many fetches. */
  readonly renderCost?: number
}

/** Spends one budget across every policy: the best bids win, whoever made them. */
export function planFetches(
  allBids: readonly Bids[],
  limits: FetchLimits,
  { urls, gains }: AddedBids = addedBids(allBids),
): PlannedFetch[] {
  const chosen = walkDown({ urls, gains }, limits)
  const sums = bidSumsOf(
    allBids,
    chosen.map((bid) => urls[bid]),
  )
  return chosen.map((bid, i) => planned(urls[bid], gains[bid], sums[i], limits))
}

/**
 * The places of bids that limits leave room for, from the best down to a floor. The order of bids, and what quotas have
 * room for, depend on no bid but those of the same groups: so whoever has all of these may walk alone.
 */
export function walkDown(
  { urls, gains }: AddedBids,
  limits: FetchLimits,
  floor = Number.NEGATIVE_INFINITY,
): number[] {
  const order = new LazyOrder(gains, tieBreak(urls, limits))
  const quotaState = new QuotaState(limits)
  const chosen: number[] = []
  let [refused, left] = [0, limits.budget]
  while (left > 0) {
    const bid = order.next()
    if (bid === undefined || gains[bid] < floor) break
    const cost = limits.costOf?.(urls[bid]) ?? 1
    if (cost > left) continue // others may be cheaper
    if (quotaState.take(urls[bid])) {
      chosen.push(bid)
      left -= cost
      continue
    }
    // Where full hosts hold most bids, throwing those out beats sorting them.
    if (++refused * 16 > order.left) {
      order.keepOnly((left) => quotaState.hasRoom(urls[left]))
      refused = 0
    }
  }
  return chosen
}

/** A fetch as a plan lists it. */
export function planned(
  url: number,
  gain: number,
  sum: BidSum,
  { costOf }: Pick<FetchLimits, 'costOf'> = {},
): PlannedFetch {
  const { parts, purpose, expected, why } = sum
  const renderCost = costOf?.(url)
  return {
    ...{ url, gain, parts, purpose, expected, why },
    ...(renderCost !== undefined && { renderCost }),
  }
}

/** What fetches of a plan cost together. */
export function costOfAll(fetches: readonly Pick<PlannedFetch, 'renderCost'>[]): number {
  return fetches.reduce((sum, { renderCost = 1 }) => sum + renderCost, 0)
}
