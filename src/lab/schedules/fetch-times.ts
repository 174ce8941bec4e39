import { mixHash } from '#numeric/hash.ts'

/** Fetches of a period by slot: slot s holds pages[offsets[s] .. offsets[s + 1]). */
export interface FetchTimes {
  readonly offsets: Uint32Array
  readonly pages: Uint32Array
}

/**
 * When to fetch pages that get so many fetches each: evenly spaced if there were room, and as near to that
 * as `perSlot` fetches a slot allow. Each page has a phase of its own, so that they do not all come at
 * once. Sorted moments matched with sorted slots are the cheapest assignment there is.
 *
 * @paper PandeyOlston2005 §6.1 — the transportation step, by sorting.
 */
export function fetchTimes(
  counts: ArrayLike<number>,
  slots: number,
  perSlot: number,
  seed: number,
): FetchTimes {
  let total = 0
  for (let page = 0; page < counts.length; page++) total += counts[page]
  const moments = new Float64Array(total)
  const pageOf = new Uint32Array(total)
  let task = 0
  for (let page = 0; page < counts.length; page++) {
    const phase = (mixHash(seed, page) + 1) / 2 ** 32
    for (let fetch = 1; fetch <= counts[page]; fetch++) {
      moments[task] = ((fetch - phase) * slots) / counts[page]
      pageOf[task++] = page
    }
  }
  const order = Uint32Array.from({ length: total }, (_, i) => i).sort(
    (a, b) => moments[a] - moments[b] || pageOf[a] - pageOf[b],
  )
  const offsets = Uint32Array.from({ length: slots + 1 }, (_, slot) =>
    Math.min(total, slot * perSlot),
  )
  return { offsets, pages: order.subarray(0, offsets[slots]).map((i) => pageOf[i]) }
}

/**
 * Whole numbers of fetches in proportion to rates, `fetches` in all: rounded down, and what is left to the
 * largest remainders.
 */
export function wholeFetches(rates: Float64Array, fetches: number): Uint32Array {
  let sum = 0
  for (const rate of rates) sum += rate
  if (sum <= 0) return new Uint32Array(rates.length)
  const shares = rates.map((rate) => (rate / sum) * fetches)
  const counts = Uint32Array.from(shares, Math.floor)
  let left = fetches
  for (const count of counts) left -= count
  const byRemainder = Uint32Array.from(rates.keys()).sort(
    (a, b) => shares[b] - counts[b] - (shares[a] - counts[a]) || a - b,
  )
  for (const page of byRemainder) {
    if (left <= 0) break
    if (rates[page] <= 0) continue
    counts[page]++
    left--
  }
  return counts
}
