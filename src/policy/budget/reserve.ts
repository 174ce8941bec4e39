import { boundOf } from '#numeric/bound-of.ts'
import type { Bids } from '../bids.ts'
import { type AddedBids, addedBids } from './added-bids.ts'
import { marginalGain } from './price.ts'
import { quotaLeft } from './quota.ts'
import { type FetchLimits, type PlannedFetch, planFetches } from './scheduler.ts'

/** How far a plan may reach beyond its own fetches, so that no host is idle while others work theirs off. */
export interface Reserve {
  /** So many URLs in all. */
  readonly most: number
  /** The host of each URL. */
  readonly hosts: Uint32Array
  /** So many requests can a host take in the time there is; any number if left out. */
  readonly hostTakes?: number
}

/**
 * How many of the best bids a budget reaches down to, where hosts can take only so many each: what the best hosts
 * cannot take in time goes to the next bids of others. The price is the last of them.
 */
export function reachOf({ urls, gains }: AddedBids, affords: number, reserve?: Reserve): number {
  if (!reserve || reserve.hostTakes === undefined) return affords
  const taken = gainsInTime(urls, gains, reserve.hosts, reserve.hostTakes)
  const price = marginalGain(taken, affords)
  let reach = 0
  for (const gain of gains) if (gain >= price) reach++
  return reach
}

/** The best bids of each host, as many as it can take. */
function gainsInTime(
  urls: Uint32Array,
  gains: Float64Array,
  hosts: Uint32Array,
  most: number,
): Float64Array {
  const ends = hostEnds(urls, hosts)
  const starts = ends.slice()
  const byHost = new Float64Array(gains.length)
  for (let i = urls.length - 1; i >= 0; i--) byHost[--starts[hosts[urls[i]]]] = gains[i]
  let count = 0
  for (let host = 0; host < ends.length; host++) {
    const ofHost = byHost.subarray(starts[host], ends[host])
    const best = ofHost.length <= most ? ofHost : ofHost.sort().subarray(ofHost.length - most)
    byHost.set(best, count)
    count += best.length
  }
  return byHost.subarray(0, count)
}

/** By host: where its bids end if all are put in a row, host by host. */
function hostEnds(urls: Uint32Array, hosts: Uint32Array): Uint32Array {
  const ends = new Uint32Array(boundOf(hosts))
  for (const url of urls) ends[hosts[url]]++
  for (let host = 1; host < ends.length; host++) ends[host] += ends[host - 1]
  return ends
}

/**
 * The best open bids beside a list that the whole budget affords, spread over hosts as evenly as room allows:
 * whichever host is free next, it has its best ones here.
 */
export function reservedFetches(
  allBids: readonly Bids[],
  list: readonly PlannedFetch[],
  affords: number,
  reserve: Reserve | undefined,
  limits: FetchLimits,
  added: AddedBids = addedBids(allBids),
): PlannedFetch[] {
  if (!reserve || affords <= list.length) return []
  const open = openBids(added, list, affords)
  return planFetches(allBids, reserveLimits(open.urls, list, reserve, limits), open)
}

/** What a plan's quotas leave for its reserve, and no host more than an even share of it. */
export function reserveLimits(
  open: Uint32Array,
  list: readonly PlannedFetch[],
  { hosts, most }: Reserve,
  limits: FetchLimits,
): FetchLimits {
  const listed = list.map(({ url }) => url)
  const left = (limits.quotas ?? []).map((quota) => quotaLeft(quota, listed))
  const depth = evenDepth(countsOf(open, hosts), most)
  return { ...limits, budget: most, quotas: [...left, { groups: hosts, most: depth }] }
}

/** Bids that the budget affords and the list does not have. */
function openBids(
  { urls, gains }: AddedBids,
  list: readonly PlannedFetch[],
  affords: number,
): AddedBids {
  const price = marginalGain(gains, affords)
  const isListed = new Set(list.map(({ url }) => url))
  const isOpen = (i: number) => gains[i] >= price && !isListed.has(urls[i])
  const places = Uint32Array.from(urls.keys()).filter(isOpen)
  return { urls: places.map((i) => urls[i]), gains: Float64Array.from(places, (i) => gains[i]) }
}

/** How many URLs each group has. */
export function countsOf(urls: Uint32Array, groups: Uint32Array): Map<number, number> {
  const counts = new Map<number, number>()
  for (const url of urls) counts.set(groups[url], (counts.get(groups[url]) ?? 0) + 1)
  return counts
}

/** The largest depth to which all groups may be filled so that they hold at most so many together; at least 1. */
export function evenDepth(counts: ReadonlyMap<number, number>, most: number): number {
  const sizes = Float64Array.from(counts.values()).sort()
  let [left, groups] = [most, sizes.length]
  for (const size of sizes) {
    if (size * groups > left) return Math.max(1, Math.floor(left / groups))
    left -= size
    groups--
  }
  return Math.max(1, sizes.at(-1) ?? 1)
}
