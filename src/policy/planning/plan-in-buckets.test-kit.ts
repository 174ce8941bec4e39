import type { Random } from '#numeric/random.ts'
import type { Keyed } from '#numeric/select/digit-counts.ts'
import { type Cut, selectRank } from '#numeric/select/select-digits.ts'
import { RANDOM_SHARE } from '../budget/one-budget.ts'
import { randomCount } from '../budget/random-fetches.ts'
import type { PlannedFetch } from '../budget/scheduler.ts'
import { lotSalt } from '../budget/ties.ts'
import { sharedSums } from '../discover/links-worth.ts'
import type { BucketBids } from './bucket-bids.test-kit.ts'

/** What all buckets spend together. */
interface BucketSpending {
  readonly budget: number
  readonly affords: number
  readonly random: Random
  readonly randomShare?: number
}

/** By bucket: its fetches, best first, then those sampled. And the prices that all of them were made at. */
interface BucketPlans {
  readonly fetches: readonly (readonly PlannedFetch[])[]
  /** Of content, which links are weighed against. */
  readonly contentPrice: number
  /** What the last affordable fetch is worth. */
  readonly price: number
}

/**
 * The plan that one bucket with all of it would make, and the same prices, to the last bit. What concerns all buckets is
 * found by selection over digits and by exact sums; all else each bucket does alone. Not where pages are rendered, nor
 * for fixed shares.
 */
export function planInBuckets(
  buckets: readonly BucketBids[],
  { budget, affords, random, randomShare = RANDOM_SHARE }: BucketSpending,
): BucketPlans {
  const contentPrice = priceOf(
    buckets.map((bucket) => bucket.contentKeys()),
    affords,
  )
  const parts = buckets.flatMap((bucket) => bucket.linkParts(contentPrice) ?? [])
  const links = parts.length > 0 ? sharedSums(parts) : undefined
  for (const bucket of buckets) bucket.bidAt(contentPrice, links)
  const price = priceOf(
    buckets.map((bucket) => bucket.bidKeys()),
    affords,
  )
  const lists = buckets.map((bucket) => bucket.planAbove(0))
  const takenTo = (rank: number) => {
    const cut = rank > 0 ? selectRank(lists, rank) : NOTHING
    return buckets.map((bucket, i) => bucket.fetchesTo(lists[i], cut))
  }
  const count = randomCount(budget, randomShare, random)
  const listed = lists.reduce((sum, { urls }) => sum + urls.length, 0)
  // A plan that short has all there is room for.
  if (listed <= budget - count) return { fetches: takenTo(budget), contentPrice, price }
  const kept = takenTo(Math.max(0, budget - count))
  const salt = lotSalt(random)
  const drawn = buckets.map((bucket, i) => bucket.draw(kept[i], count, salt))
  const open = drawn.reduce((sum, one) => sum + one.open, 0)
  const most = Math.min(count, budget - Math.max(0, budget - count), open)
  if (most <= 0) return { fetches: takenTo(budget), contentPrice, price }
  const lots = drawn.map((one) => one.lots)
  const cut = selectRank(lots, most)
  const found = lots.reduce((sum, { urls }) => sum + urls.length, 0)
  const chance = Math.min(most, found) / open
  const fetches = buckets.map((bucket, i) => [
    ...kept[i],
    ...bucket.sampledTo(lots[i], cut, chance),
  ])
  return { fetches, contentPrice, price }
}

/** A cut that nothing comes before. */
const NOTHING: Cut = { value: Number.POSITIVE_INFINITY, first: -1, second: 0 }

/** What the last fetch is worth that a budget affords, whoever has it: 0 if it affords all. */
function priceOf(all: readonly Keyed[], affords: number): number {
  const count = all.reduce((sum, { values }) => sum + values.length, 0)
  if (affords <= 0 || affords >= count) return 0
  return selectRank(all, affords)!.value
}
