import { FIELDS } from './fields.ts'
import type { SegmentExcerpt } from './segment-excerpt.ts'

/** Where copies of pages lie: by copy the number of its segment, NOWHERE if there is none, and its place there. */
export interface Copies {
  readonly segments: number[]
  readonly places: number[]
}

export const NOWHERE = -1

/** Hits of a few terms in copies of pages. A term is named by its slot among those few. */
export interface TermHits {
  /** Hits of a slot are those from offsets[slot] up to offsets[slot + 1]. */
  readonly offsets: Uint32Array
  /** By hit: the copy that has the term, and its packed counts. */
  readonly copies: Uint32Array
  readonly counts: Uint32Array
  /** Terms in each field of each copy: lengths[4 · copy + field]. */
  readonly lengths: Uint32Array
}

/** The hits of copies, by the excerpts that their segments have of so many terms. */
export function termHits(
  slots: number,
  { segments, places }: Copies,
  excerpts: readonly SegmentExcerpt[],
): TermHits {
  const next = new Uint32Array(slots + 1)
  for (let copy = 0; copy < places.length; copy++)
    if (segments[copy] !== NOWHERE) countSlots(excerpts[segments[copy]], places[copy], next)
  for (let slot = 0; slot < slots; slot++) next[slot + 1] += next[slot]
  const offsets = next.slice()
  const hits = {
    offsets,
    copies: new Uint32Array(offsets[slots]),
    counts: new Uint32Array(offsets[slots]),
    lengths: new Uint32Array(places.length * FIELDS.length),
  }
  for (let copy = 0; copy < places.length; copy++)
    if (segments[copy] !== NOWHERE) takeIn(excerpts[segments[copy]], places[copy], copy, next, hits)
  return hits
}

/** Counts each slot that a page has, one further on. */
function countSlots(
  { offsets, entries }: SegmentExcerpt,
  place: number,
  counted: Uint32Array,
): void {
  const end = 2 * offsets[place + 1]
  for (let entry = 2 * offsets[place]; entry < end; entry += 2) counted[entries[entry] + 1]++
}

function takeIn(
  { offsets, entries, lengths }: SegmentExcerpt,
  place: number,
  copy: number,
  next: Uint32Array,
  hits: TermHits,
): void {
  const { copies, counts } = hits
  const end = 2 * offsets[place + 1]
  for (let entry = 2 * offsets[place]; entry < end; entry += 2) {
    const hit = next[entries[entry]]++
    copies[hit] = copy
    counts[hit] = entries[entry + 1]
  }
  for (let field = 0; field < FIELDS.length; field++)
    hits.lengths[copy * FIELDS.length + field] = lengths[place * FIELDS.length + field]
}
