import type { Random } from '#numeric/random.ts'
import { addedBids, bidSumsOf, totalOf } from '../added-bids.ts'
import type { Bids } from '../bids.ts'
import { type FetchLimits, type PlannedFetch, planned, Rooms } from '../scheduler.ts'

/**
 * Gives a share of a plan to URLs drawn by lot from all that somebody bids for, each with the chance it
 * had. They are the only fetches that teach without bias what the others are worth. `count` of them are
 * to be had; they come last, in place of the plan's worst.
 */
export function withRandomFetches(
  plan: readonly PlannedFetch[],
  allBids: readonly Bids[],
  count: number,
  limits: FetchLimits,
  random: Random,
): PlannedFetch[] {
  const kept = plan.slice(0, Math.max(0, Math.min(plan.length, limits.budget - count)))
  const pool = poolOf(allBids, kept)
  const most = Math.min(count, limits.budget - kept.length, pool.length)
  if (most <= 0) return [...plan]
  const rooms = new Rooms(limits)
  for (const { url } of kept) rooms.take(url)
  const drawn: number[] = []
  for (let left = pool.length; left > 0 && drawn.length < most; left--) {
    const at = random.below(left)
    const url = pool[at]
    pool[at] = pool[left - 1]
    if (rooms.take(url)) drawn.push(url)
  }
  const sums = bidSumsOf(allBids, drawn)
  const probability = drawn.length / pool.length
  return [
    ...kept,
    ...drawn.map((url, i) => ({ ...planned(url, totalOf(sums[i].parts), sums[i]), probability })),
  ]
}

/** So many random fetches has a plan of that budget, on average `share` of it. */
export function randomCount(budget: number, share: number, random: Random): number {
  const whole = Math.floor(budget * share)
  return whole + (random.next() < budget * share - whole ? 1 : 0)
}

/** Every URL that somebody bids for and that is not taken yet, once. */
function poolOf(allBids: readonly Bids[], taken: readonly PlannedFetch[]): Uint32Array {
  const { urls } = addedBids(allBids)
  const isTaken = new Set(taken.map(({ url }) => url))
  return urls.filter((url) => !isTaken.has(url))
}
