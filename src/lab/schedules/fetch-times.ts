import { mixHash } from '#numeric/hash.ts'

/** Fetches of a period by slot: slot s holds pages[offsets[s] .. offsets[s + 1]). */
export interface FetchTimes {
  readonly offsets: Uint32Array
  readonly pages: Uint32Array
}

/**
 * When to fetch pages that get so many fetches each: in the slots of evenly spaced moments, or as near to them
 * as `perSlot` fetches a slot allow. Each page has a phase of its own, so that they do not all come at once.
 *
 * @paper PandeyOlston2005 §6.1.1 — the transportation step; no other assignment moves fetches by fewer slots in all.
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
  const order = Uint32Array.from({ length: total }, (_, i) => i)
    .sort((a, b) => moments[a] - moments[b])
    .subarray(0, slots * perSlot)
  const ideal = new Uint32Array(slots)
  for (const one of order) ideal[Math.floor(moments[one])]++
  // Costs are equal for all, so fetches keep their order, whatever slots they move to.
  return { offsets: nearestOffsets(ideal, perSlot), pages: order.map((one) => pageOf[one]) }
}

/**
 * Where slots begin when so many fetches are wanted in each, and moves between slots cost their distance. The
 * cost of ending slot s at x is |x − wanted by then| plus the least cost of a beginning from x − perSlot to x.
 * It is convex: `falls` and `rises` hold the places where its slope grows, left and right of its minimum.
 */
function nearestOffsets(wanted: Uint32Array, perSlot: number): Uint32Array {
  const slots = wanted.length
  // The first slot begins at 0 and nowhere else: steeper than all that slots can add.
  const falls: number[] = new Array(slots + 1).fill(0)
  let rises: number[] = new Array(slots + 1).fill(0)
  const ends = new Uint32Array(slots + 1)
  const best = new Uint32Array(slots + 1)
  for (let slot = 0; slot < slots; slot++) {
    const end = ends[slot] + wanted[slot]
    ends[slot + 1] = end
    rises = rises.map((place) => place + perSlot)
    rises.push(popMost(falls, end))
    falls.push(popLeast(rises, end))
    // Of equal costs the later fetch.
    best[slot + 1] = Math.max(...falls)
  }
  const offsets = ends
  for (let slot = slots - 1; slot >= 0; slot--)
    offsets[slot] = Math.min(Math.max(best[slot], offsets[slot + 1] - perSlot), offsets[slot + 1])
  return offsets
}

/** Adds a place and takes the largest out. */
function popMost(places: number[], added: number): number {
  places.push(added)
  return places.splice(places.indexOf(Math.max(...places)), 1)[0]
}

/** Adds a place and takes the least out. */
function popLeast(places: number[], added: number): number {
  places.push(added)
  return places.splice(places.indexOf(Math.min(...places)), 1)[0]
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
