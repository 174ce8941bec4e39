import type { Segment } from './segment.ts'

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

/** By number of a term, as far as it goes: its slot, or ABSENT. */
export type SlotTable = Int32Array

/** The slots of distinct terms, ascending: looking each term of a segment up costs less than looking for each of these. */
export function slotTable(terms: Uint32Array): SlotTable {
  const slots = new Int32Array((terms.at(-1) ?? -1) + 1).fill(ABSENT)
  terms.forEach((term, slot) => {
    slots[term] = slot
  })
  return slots
}

/** The excerpt of a segment for terms that have a slot. */
export function excerptOf(segment: Segment, slotOf: SlotTable): SegmentExcerpt {
  const { urls, lengths, terms } = segment
  const rows = rowsWithSlot(terms, slotOf)
  // One longer than needed: entries of a place are counted two further on, and filling in moves
  // them back by one.
  const offsets = new Uint32Array(urls.length + 2)
  for (let i = 0; i < rows.length; i++) countPages(segment, rows[i], offsets)
  for (let place = 0; place <= urls.length; place++) offsets[place + 1] += offsets[place]
  const entries = new Uint32Array(2 * offsets[urls.length + 1])
  for (let i = 0; i < rows.length; i++)
    fillIn(segment, rows[i], slotOf[terms[rows[i]]], offsets, entries)
  return { offsets, entries, lengths }
}

/** The rows of ascending terms that have a slot. */
function rowsWithSlot(terms: Uint32Array, slotOf: SlotTable): number[] {
  const rows: number[] = []
  for (let row = 0; row < terms.length && terms[row] < slotOf.length; row++)
    if (slotOf[terms[row]] !== ABSENT) rows.push(row)
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
