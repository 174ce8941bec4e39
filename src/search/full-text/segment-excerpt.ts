import { type Segment, seek } from './segment.ts'

const ABSENT = -1

/**
 * The counts of a few terms in the pages of a segment, page by page. Single pages are then read
 * from one place in memory, while postings lie far apart. A term is named by its slot among
 * those few.
 */
export interface SegmentExcerpt {
  /** Entries of a place are those from offsets[place] up to offsets[place + 1]. */
  readonly offsets: Uint32Array
  /** Two numbers an entry: the slot of a term that the page has, and its packed counts. */
  readonly entries: Uint32Array
  /** Those of the segment. */
  readonly lengths: Uint32Array
}

/** The excerpt of a segment for distinct terms, ascending. */
export function excerptOf(segment: Segment, terms: Uint32Array): SegmentExcerpt {
  const { urls, lengths } = segment
  const rows = rowsOfTerms(segment, terms)
  // One longer than needed: entries of a place are counted two further on, and filling in moves
  // them back by one.
  const offsets = new Uint32Array(urls.length + 2)
  for (let slot = 0; slot < rows.length; slot++)
    if (rows[slot] !== ABSENT) countPages(segment, rows[slot], offsets)
  for (let place = 0; place <= urls.length; place++) offsets[place + 1] += offsets[place]
  const entries = new Uint32Array(2 * offsets[urls.length + 1])
  for (let slot = 0; slot < rows.length; slot++)
    if (rows[slot] !== ABSENT) fillIn(segment, rows[slot], slot, offsets, entries)
  return { offsets, entries, lengths }
}

/** The row of each term; ABSENT where the segment lacks it. Both are ascending, so one is found from the one before. */
function rowsOfTerms(segment: Segment, wanted: Uint32Array): Int32Array {
  const { terms } = segment
  const rows = new Int32Array(wanted.length).fill(ABSENT)
  let row = 0
  for (let slot = 0; slot < wanted.length; slot++) {
    row = seek(terms, row, terms.length, wanted[slot])
    if (row === terms.length) break
    if (terms[row] === wanted[slot]) rows[slot] = row
  }
  return rows
}

function countPages({ offsets, places }: Segment, row: number, counted: Uint32Array): void {
  const end = offsets[row + 1]
  for (let posting = offsets[row]; posting < end; posting++) counted[places[posting] + 2]++
}

function fillIn(
  { offsets, places, counts }: Segment,
  row: number,
  slot: number,
  next: Uint32Array,
  entries: Uint32Array,
): void {
  const end = offsets[row + 1]
  for (let posting = offsets[row]; posting < end; posting++) {
    const entry = 2 * next[places[posting] + 1]++
    entries[entry] = slot
    entries[entry + 1] = counts[posting]
  }
}
