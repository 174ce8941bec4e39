import {
  type DigitCounts,
  digitCounts,
  KEY_DIGITS,
  type Keyed,
  mergedCounts,
  placesWith,
  valuesBeginning,
} from './digit-counts.ts'
import { decodeCounts, encodeCounts } from './digit-message.ts'

/** So few are collected and sorted rather than counted once more. */
const FEW = 4_096

/**
 * How far a selection has come: whatever is sought begins with these digits, and is so many-th of those that do, from
 * 1 for the best. Plain data: whoever leads the selection sends the digits to all buckets.
 */
export interface Narrowed {
  readonly leading: readonly number[]
  readonly rank: number
  /** How many begin so, or what they weigh. */
  readonly count: number
}

/** The last one that is taken, and whoever precedes it. */
export interface Cut {
  readonly value: number
  /** Words of its tie. */
  readonly first: number
  readonly second: number
}

/**
 * The B-th best of what many buckets have, exactly, whatever there is: counts of the first 16 bits from everybody, then
 * of the next 16 of those that share the first with the B-th, and so on until few are left, which are collected.
 * Nothing is estimated, and nothing depends on who has what. Begin with `seekRank`; as long as `isFew` is false, add
 * everybody's `digitCounts(…, leading)` up and go on with `narrow`; then `lastOf` what everybody's `collected` gives.
 */
export function seekRank(rank: number): Narrowed {
  return { leading: [], rank, count: Number.POSITIVE_INFINITY }
}

/** By the counts of everybody's next digit; undefined if there are fewer in all than are sought. */
export function narrow(at: Narrowed, { digits, counts }: DigitCounts): Narrowed | undefined {
  let rank = at.rank
  for (let i = digits.length - 1; i >= 0; i--) {
    if (counts[i] >= rank) return { leading: [...at.leading, digits[i]], rank, count: counts[i] }
    rank -= counts[i]
  }
  return undefined
}

/** Whether those left are to be collected. */
export function isFew({ leading, count }: Narrowed): boolean {
  return leading.length === KEY_DIGITS || count <= FEW
}

/** What a bucket has of those that are left. */
export function collected(keyed: Keyed, { leading }: Narrowed): Keyed {
  const places = placesWith(keyed, leading)
  const words = (column: Uint32Array | undefined) => column && places.map((place) => column[place])
  return {
    values: Float64Array.from(places, (place) => keyed.values[place]),
    first: words(keyed.first),
    second: words(keyed.second),
  }
}

/** The one that was sought, among what everybody has of those left. */
export function lastOf(all: readonly Keyed[], { rank }: Pick<Narrowed, 'rank'>): Cut {
  return all.flatMap(cutsOf).sort(byOrder)[rank - 1]
}

function cutsOf({ values, first, second }: Keyed): Cut[] {
  return Array.from(values, (value, i) => ({
    value: Math.max(0, value),
    ...{ first: first?.[i] ?? 0, second: second?.[i] ?? 0 },
  }))
}

/** Below 0 if the first one precedes. */
export function byOrder(a: Cut, b: Cut): number {
  if (a.value !== b.value) return b.value - a.value
  return a.first - b.first || a.second - b.second
}

/** The whole of it, with buckets at hand: what would pass between them are bytes. Undefined if there are not so many. */
export function selectRank(buckets: readonly Keyed[], rank: number): Cut | undefined {
  let at: Narrowed | undefined = seekRank(rank)
  while (at && !isFew(at)) {
    const { leading }: Narrowed = at
    const messages = buckets.map((keyed) => encodeCounts(digitCounts(keyed, leading)))
    at = narrow(at, mergedCounts(messages.map(decodeCounts)))
  }
  if (at === undefined) return undefined
  const few = at
  return lastOf(
    buckets.map((keyed) => collected(keyed, few)),
    few,
  )
}

/** From so many on, a pass that counts is quicker than one that moves. */
const MANY = 20_000

/**
 * The same with all in one place: the rank-th largest of at least as many values, none below 0. One digit is counted, and
 * those that share it are few enough to be moved about.
 */
export function nthLargest(values: Float64Array, rank: number): number {
  if (values.length < MANY) return inOrder(values.slice(), values.length - rank)
  const { leading, count, rank: within } = narrow(seekRank(rank), digitCounts({ values }))!
  const left = count === values.length ? values.slice() : valuesBeginning(values, leading[0], count)
  return inOrder(left, left.length - within)
}

/** What would be at that place if the values were sorted, ascending; moves them about (Hoare's selection). */
function inOrder(values: Float64Array, place: number): number {
  let [first, last] = [0, values.length - 1]
  while (first < last) {
    const pivot = middling(values[first], values[(first + last) >> 1], values[last])
    let [left, right] = [first, last]
    while (left <= right) {
      while (values[left] < pivot) left++
      while (values[right] > pivot) right--
      if (left > right) break
      const value = values[left]
      values[left++] = values[right]
      values[right--] = value
    }
    if (place <= right) last = right
    else if (place >= left) first = left
    else return pivot
  }
  return values[place]
}

function middling(a: number, b: number, c: number): number {
  return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c))
}
