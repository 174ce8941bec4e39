import { countIn, countOneMore, FIELDS, type PackedCounts } from './fields.ts'
import { rowOfTerm, type Segment, seek } from './segment.ts'

/** One page as the index holds it: its distinct terms with packed counts, and its field lengths. */
interface CountedPage {
  readonly lengths: Uint32Array
  readonly terms: Uint32Array
  readonly counts: Uint32Array
}

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

/** Whether a page has just these terms in its anchor field; most often so, and told without taking it out. */
export function hasAnchors(
  segment: Segment,
  place: number,
  anchorTerms: readonly number[],
): boolean {
  const { lengths, offsets, places, counts } = segment
  if (lengths[place * 4 + ANCHOR] !== anchorTerms.length) return false
  for (const [term, wanted] of countedAnchors(anchorTerms)) {
    const row = rowOfTerm(segment, term)
    if (row === undefined) return false
    const end = offsets[row + 1]
    const posting = seek(places, offsets[row], end, place)
    if (posting === end || places[posting] !== place) return false
    if (countIn(counts[posting], ANCHOR) !== countIn(wanted, ANCHOR)) return false
  }
  return true
}

/** The terms that the page has more or less often in its anchor field than these anchors. */
export function changedAnchorTerms(page: CountedPage, anchorTerms: readonly number[]): number[] {
  const wanted = countedAnchors(anchorTerms)
  const changed: number[] = []
  for (let i = 0; i < page.terms.length; i++) {
    const term = page.terms[i]
    if (countIn(page.counts[i], ANCHOR) !== countIn(wanted.get(term) ?? 0, ANCHOR))
      changed.push(term)
    wanted.delete(term)
  }
  return [...changed, ...wanted.keys()]
}

function countedAnchors(anchorTerms: readonly number[]): Map<number, PackedCounts> {
  const counts = new Map<number, PackedCounts>()
  for (const term of anchorTerms) counts.set(term, countOneMore(counts.get(term) ?? 0, ANCHOR))
  return counts
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
