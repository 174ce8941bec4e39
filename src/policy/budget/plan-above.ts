import type { Keyed } from '#numeric/select/digit-counts.ts'
import { byOrder, type Cut } from '#numeric/select/select-digits.ts'
import type { AddedBids } from './added-bids.ts'
import { type FetchLimits, walkDown } from './scheduler.ts'
import { tieKeys } from './ties.ts'

/** URLs in order, best first, with what they are ordered by. */
export interface InOrder extends Required<Keyed> {
  readonly urls: Uint32Array
}

/**
 * What a bucket would have fetched if there were no others, down to a floor: quotas lie within a bucket, so the plan of
 * all buckets is the first so many of what theirs give, put together (`docs/decisions/0035-buckets.md`). The budget is
 * that of all.
 */
export function planAbove(added: AddedBids, floor: number, limits: FetchLimits): InOrder {
  const chosen = walkDown(added, { ...limits, costOf: undefined }, floor)
  const urls = Uint32Array.from(chosen, (bid) => added.urls[bid])
  const keys = tieKeys(limits)
  return {
    urls,
    values: Float64Array.from(chosen, (bid) => added.gains[bid]),
    first: urls.map((url) => keys.first(url)),
    second: urls.map((url) => keys.second(url)),
  }
}

/** How many of them are to be fetched: those down to the cut, or all where there is none. */
export function countAbove({ values, first, second }: InOrder, cut: Cut | undefined): number {
  if (cut === undefined) return values.length
  let [from, to] = [0, values.length]
  while (from < to) {
    const middle = (from + to) >> 1
    const bid = { value: values[middle], first: first[middle], second: second[middle] }
    if (byOrder(bid, cut) <= 0) from = middle + 1
    else to = middle
  }
  return from
}
