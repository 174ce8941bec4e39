/**
 * An immutable part of the index. Pages are numbered from 0 within it (`places`). Postings are
 * grouped by term, pages ascending, and once more by page, so that a page can be taken out
 * again.
 */
export interface Segment {
  /** URL number of each place. */
  readonly urls: Uint32Array
  /** Terms in each field of each page: lengths[4 · place + field]. */
  readonly lengths: Uint32Array
  /** The terms that occur, ascending. */
  readonly terms: Uint32Array
  /** Postings of terms[row] are those from offsets[row] up to offsets[row + 1]. */
  readonly offsets: Uint32Array
  /** By posting: the page's place, and its packed counts by field. */
  readonly places: Uint32Array
  readonly counts: Uint32Array
  /** Rows of the terms of a page: rows[pageOffsets[place]] up to rows[pageOffsets[place + 1]]. */
  readonly pageOffsets: Uint32Array
  readonly rows: Uint32Array
}

/** A segment in use: `alive[place]` is 0 once the page was replaced or removed. */
export interface LiveSegment {
  readonly segment: Segment
  readonly alive: Uint8Array
  aliveCount: number
}

/** The row of a term; undefined when the segment lacks it. */
export function rowOfTerm({ terms }: Segment, term: number): number | undefined {
  let low = 0
  let high = terms.length - 1
  while (low <= high) {
    const middle = (low + high) >> 1
    if (terms[middle] === term) return middle
    if (terms[middle] < term) low = middle + 1
    else high = middle - 1
  }
  return undefined
}

/** The first posting from `start` on (below `end`) whose place is at least this one. */
export function seek(places: Uint32Array, start: number, end: number, place: number): number {
  // Doubling steps first: the next match is usually near.
  let step = 1
  let low = start
  while (low + step < end && places[low + step] < place) {
    low += step
    step *= 2
  }
  let high = Math.min(end, low + step + 1)
  while (low < high) {
    const middle = (low + high) >>> 1
    if (places[middle] < place) low = middle + 1
    else high = middle
  }
  return low
}
