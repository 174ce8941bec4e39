import { mixHash } from '#numeric/hash.ts'
import { LazyOrder } from '#numeric/lazy-order.ts'
import { bestBids } from './best-bids.ts'
import type { Bids, Purpose } from './bids.ts'
import { Quota } from './quota.ts'

/** What a plan may spend; `hosts` and `domains` give the group of each URL. */
export interface FetchLimits {
  readonly budget: number
  readonly hosts?: Uint32Array
  /** At most so many fetches from one host; needs `hosts`. */
  readonly perHost?: number
  readonly domains?: Uint32Array
  /** At most so many fetches from one registrable domain; needs `domains`. */
  readonly perDomain?: number
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
  const quotas = quotasOf(limits)
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
function tieKeys(urls: Uint32Array, seed: number | undefined): Uint32Array {
  return seed === undefined ? urls : urls.map((url) => mixHash(seed, url))
}

function quotasOf({ hosts, perHost, domains, perDomain }: FetchLimits): Quota[] {
  const quotas: Quota[] = []
  if (perHost !== undefined) {
    if (hosts === undefined) throw new Error('perHost needs the hosts')
    quotas.push(new Quota(hosts, perHost))
  }
  if (perDomain !== undefined) {
    if (domains === undefined) throw new Error('perDomain needs the domains')
    quotas.push(new Quota(domains, perDomain))
  }
  return quotas
}
