import { type CountSheet, isWanted } from './count-sheet.ts'
import { countOneMore, FIELDS } from './fields.ts'
import { type Segment, seek } from './segment.ts'

/** One page as the index holds it: its distinct terms with packed counts, and its field lengths. */
export interface CountedPage {
  readonly lengths: Uint32Array
  readonly terms: Uint32Array
  readonly counts: Uint32Array
}

/** Postings looked through around a guess: nine of ten are among them. */
const NEARBY = 64
const ANCHOR = FIELDS.indexOf('anchor')
const ANCHOR_BYTE = 0xff << (ANCHOR * 8)

/** A page taken out of its segment again. */
export function pageOf(segment: Segment, place: number): CountedPage {
  const { pageOffsets, rows, terms, offsets, places, counts, lengths } = segment
  const pageRows = rows.subarray(pageOffsets[place], pageOffsets[place + 1])
  return {
    lengths: lengths.slice(place * 4, place * 4 + 4),
    terms: pageRows.map((row) => terms[row]),
    counts: pageRows.map((row) => counts[seek(places, offsets[row], offsets[row + 1], place)]),
  }
}

/** Notes on a sheet what a page of a segment has of the terms that the sheet wants. */
export function readCounts(segment: Segment, place: number, sheet: CountSheet): void {
  const { pageOffsets, rows, terms, offsets, places, counts, lengths } = segment
  const pages = segment.urls.length
  const { wanted, candidates } = sheet
  const end = pageOffsets[place + 1]
  // All rows first: so what they lead to is on its way from memory together.
  let found = 0
  for (let i = pageOffsets[place]; i < end; i++) {
    candidates[found] = rows[i]
    found += isWanted(wanted, terms[rows[i]])
  }
  for (let i = 0; i < found; i++) {
    const row = candidates[i]
    const posting = postingAt(places, offsets[row], offsets[row + 1], place, pages)
    sheet.note(terms[row], counts[posting])
  }
  for (let field = 0; field < FIELDS.length; field++)
    sheet.lengths[field] = lengths[place * 4 + field]
}

/**
 * The posting of a page that is among those from `start` up to `end`. Pages with a term lie about evenly
 * among all, so it is looked for where it would then be: memory far apart is what takes time here.
 */
function postingAt(
  places: Uint32Array,
  start: number,
  end: number,
  place: number,
  pages: number,
): number {
  const guess = start + Math.floor(((end - start) * place) / pages)
  const first = Math.max(start, guess - NEARBY / 2)
  const last = Math.min(end, first + NEARBY)
  const isNear = places[first] <= place && (last === end || places[last] > place)
  return isNear ? lastUpTo(places, first, last, place) : lastUpTo(places, start, end, place)
}

/**
 * The last posting whose place is at most this one; the first has such a place. The sign bit of a
 * difference decides each step, as a branch would be guessed wrong half of the time.
 */
function lastUpTo(places: Uint32Array, start: number, end: number, place: number): number {
  let low = start
  for (let size = end - start; size > 1; ) {
    const half = size >>> 1
    low += half & ~((place - places[low + half]) >> 31)
    size -= half
  }
  return low
}

/** The page with other words in its anchor field. */
export function withAnchors(page: CountedPage, anchorTerms: readonly number[]): CountedPage {
  const counts = new Map<number, number>()
  page.terms.forEach((term, i) => {
    const rest = (page.counts[i] & ~ANCHOR_BYTE) >>> 0
    if (rest !== 0) counts.set(term, rest)
  })
  for (const term of anchorTerms) counts.set(term, countOneMore(counts.get(term) ?? 0, ANCHOR))
  const lengths = page.lengths.slice()
  lengths[ANCHOR] = anchorTerms.length
  return {
    lengths,
    terms: Uint32Array.from(counts.keys()),
    counts: Uint32Array.from(counts.values()),
  }
}
