import { boundOf } from '#numeric/bound-of.ts'
import type { Bids } from '../bids.ts'
import { type AddedBids, addedBids } from './added-bids.ts'
import { marginalGain } from './price.ts'
import { type FetchQuota, QuotaState, quotaLeft } from './quota.ts'
import { type FetchLimits, type PlannedFetch, planFetches } from './scheduler.ts'

/** How far a plan may reach beyond its own fetches, so that no host is idle while others work theirs off. */
export interface Reserve {
  /** So many URLs in all. */
  readonly most: number
  /** The host of each URL. */
  readonly hosts: Uint32Array
  /** What hosts can take in the time there is; any number if left out. */
  readonly inTime?: FetchQuota
  /** Of what groups of URLs promise, so much is counted on: many that nobody has tried would keep all others waiting. */
  readonly proven?: readonly FetchQuota[]
}

/**
 * How many of the best bids a budget reaches down to, where hosts can take only so many each: what the best hosts
 * cannot take in time goes to the next bids of others. The price is the last of them.
 */
export function reachOf(added: AddedBids, affords: number, reserve?: Reserve): number {
  if (!reserve?.inTime) return affords
  const price = marginalGain(bestOfGroups(added, reserve.inTime).gains, affords)
  let reach = 0
  for (const gain of added.gains) if (gain >= price) reach++
  return reach
}

/** The best bids of each group, as many as it can take. */
function bestOfGroups({ urls, gains }: AddedBids, { groups, most }: FetchQuota): AddedBids {
  const ends = groupEnds(urls, groups)
  const starts = ends.slice()
  const byGroup = new Uint32Array(urls.length)
  for (let bid = urls.length - 1; bid >= 0; bid--) byGroup[--starts[groups[urls[bid]]]] = bid
  let count = 0
  for (let group = 0; group < ends.length; group++) {
    const all = byGroup.subarray(starts[group], ends[group])
    const best = bestOf(all, gains, typeof most === 'number' ? most : most[group])
    byGroup.set(best, count)
    count += best.length
  }
  const kept = byGroup.subarray(0, count)
  return { urls: kept.map((bid) => urls[bid]), gains: Float64Array.from(kept, (bid) => gains[bid]) }
}

/** So many of these bids, none of them worth less than any other. */
function bestOf(bids: Uint32Array, gains: Float64Array, most: number): Uint32Array {
  if (bids.length <= most) return bids
  const least = marginalGain(
    Float64Array.from(bids, (bid) => gains[bid]),
    most,
  )
  const best = bids.filter((bid) => gains[bid] > least)
  const equal = bids.filter((bid) => gains[bid] === least).subarray(0, most - best.length)
  const all = new Uint32Array(best.length + equal.length)
  all.set(best)
  all.set(equal, best.length)
  return all
}

/** By group: where its bids end if all are put in a row, group by group. */
function groupEnds(urls: Uint32Array, groups: Uint32Array): Uint32Array {
  const ends = new Uint32Array(boundOf(groups))
  for (const url of urls) ends[groups[url]]++
  for (let group = 1; group < ends.length; group++) ends[group] += ends[group - 1]
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
): PlannedFetch[] {
  if (!reserve || affords <= list.length) return []
  const open = openBids(addedBids(allBids), list, affords, reserve.proven, limits.costOf)
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
  // Hosts that quotas keep out leave their room to others.
  const state = new QuotaState({ quotas: left })
  const depth = evenDepth(
    countsOf(
      open.filter((url) => state.take(url)),
      hosts,
    ),
    most,
  )
  return { ...limits, budget: most, quotas: [...left, { groups: hosts, most: depth }] }
}

/**
 * Bids that the budget affords and the list does not have. No renderings: that a host is free is no reason to pay for one
 * what many pages cost that the crawl has yet to hear of.
 */
function openBids(
  added: AddedBids,
  list: readonly PlannedFetch[],
  affords: number,
  proven: readonly FetchQuota[] = [],
  costOf: FetchLimits['costOf'] = () => undefined,
): AddedBids {
  const { urls, gains } = added
  const price = marginalGain(proven.reduce(bestOfGroups, added).gains, affords)
  const isListed = new Set(list.map(({ url }) => url))
  const isOpen = (i: number) =>
    gains[i] >= price && !isListed.has(urls[i]) && costOf(urls[i]) === undefined
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
