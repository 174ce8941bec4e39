import type { CountSheet } from './count-sheet.ts'
import { countOneMore, FIELDS } from './fields.ts'
import { type Segment, seek } from './segment.ts'

/** One page as the index holds it: its distinct terms with packed counts, and its field lengths. */
export interface CountedPage {
  readonly lengths: Uint32Array
  readonly terms: Uint32Array
  readonly counts: Uint32Array
}

/** Postings that come from memory together. */
const NEARBY = 8
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
  for (let i = pageOffsets[place]; i < pageOffsets[place + 1]; i++) {
    const row = rows[i]
    const term = terms[row]
    if (!sheet.wants(term)) continue
    sheet.note(term, counts[postingAt(places, offsets[row], offsets[row + 1], place, pages)])
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
  let low = guess
  let high = guess
  let step = NEARBY
  if (places[guess] < place) {
    for (high = guess + step; high < end && places[high] < place; high = low + step) {
      low = high
      step *= 2
    }
    high = Math.min(high, end - 1)
  } else {
    for (low = guess - step; low >= start && places[low] >= place; low = high - step) {
      high = low
      step *= 2
    }
    low = Math.max(low, start)
  }
  while (low < high) {
    const middle = (low + high) >>> 1
    if (places[middle] < place) low = middle + 1
    else high = middle
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
