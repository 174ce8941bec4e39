import { mixHash } from '#numeric/hash.ts'
import { LazyOrder } from '#numeric/lazy-order.ts'
import { bestBids } from './best-bids.ts'
import type { Bids, Purpose } from './bids.ts'
import { type FetchQuota, Quota } from './quota.ts'

/** What a plan may spend, and on what at most. */
export interface FetchLimits {
  readonly budget: number
  readonly quotas?: readonly FetchQuota[]
  /** Draws lots between equal gains; without it the lower URL number wins. */
  readonly tieSeed?: number
}

export interface PlannedFetch {
  readonly url: number
  readonly purpose: Purpose
  readonly gain: number
  readonly why: () => string
}

/** Spends one budget across every policy: the best bids win, whoever made them. */
export function planFetches(allBids: readonly Bids[], limits: FetchLimits): PlannedFetch[] {
  const { urls, gains, origin } = bestBids(allBids)
  const order = new LazyOrder(gains, tieKeys(urls, limits.tieSeed))
  const quotas = (limits.quotas ?? []).map((quota) => new Quota(quota))
  const hasRoom = (bid: number): boolean => quotas.every((quota) => quota.hasRoom(urls[bid]))
  const plan: PlannedFetch[] = []
  let refused = 0
  while (plan.length < limits.budget) {
    const bid = order.next()
    if (bid === undefined) break
    if (!hasRoom(bid)) {
      // Where full hosts hold most bids, throwing those out beats sorting them.
      if (++refused * 16 > order.left) {
        order.keepOnly(hasRoom)
        refused = 0
      }
      continue
    }
    for (const quota of quotas) quota.take(urls[bid])
    const { bids, i } = origin(bid)
    plan.push({ url: urls[bid], purpose: bids.purpose, gain: gains[bid], why: () => bids.why(i) })
  }
  return plan
}

/** Lower goes first. No two URLs draw the same lot: under one seed `mixHash` is a bijection. */
export function tieKeys(urls: Uint32Array, seed: number | undefined): Uint32Array {
  return seed === undefined ? urls : urls.map((url) => mixHash(seed, url))
}
