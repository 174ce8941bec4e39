import { releaseArrays } from '#numeric/own-pages.ts'
import { countOneMore, FIELDS, type PackedCounts } from './fields.ts'
import { rowOfTerm, type Segment, seek } from './segment.ts'

/** One page as the index holds it: its distinct terms with packed counts, and its field lengths. */
interface CountedPage {
  readonly lengths: Uint32Array
  readonly terms: Uint32Array
  readonly counts: Uint32Array
}

const ANCHOR = FIELDS.indexOf('anchor')
const ANCHOR_BYTE = 0xff << (ANCHOR * 8)

/** A posting is found by its place in the time that so many are passed by in order. */
const PASSED_BY = 16

/** Pages taken out of their segment again. Of many, all postings are gone through once; few are looked up. */
export function pagesOf(segment: Segment, places: readonly number[]): CountedPage[] {
  return PASSED_BY * postingsOf(segment, places) < segment.rows.length
    ? places.map((place) => pageOf(segment, place))
    : passedBy(segment, places)
}

/** How many postings these pages have together. */
export function postingsOf({ pageOffsets }: Segment, places: readonly number[]): number {
  return places.reduce((sum, at) => sum + pageOffsets[at + 1] - pageOffsets[at], 0)
}

/** Gives back what pages that were taken out hold: of an index whose pages are all renamed, that is as much again. */
export function releasePagesOf(pages: readonly CountedPage[]): void {
  const buffers = new Set(pages.flatMap(({ terms, counts }) => [terms.buffer, counts.buffer]))
  releaseArrays(Array.from(buffers, (buffer) => new Uint8Array(buffer)))
}

function pageOf(segment: Segment, place: number): CountedPage {
  const { pageOffsets, rows, terms, offsets, places, counts, lengths } = segment
  const pageRows = rows.slice(pageOffsets[place], pageOffsets[place + 1]).sort()
  return {
    lengths: lengths.slice(place * 4, place * 4 + 4),
    terms: pageRows.map((row) => terms[row]),
    counts: pageRows.map((row) => counts[seek(places, offsets[row], offsets[row + 1], place)]),
  }
}

function passedBy(segment: Segment, wanted: readonly number[]): CountedPage[] {
  const { pageOffsets, terms, offsets, places, counts, lengths } = segment
  // Where the next posting of each page goes, plus 1; 0 for pages that stay.
  const next = new Uint32Array(pageOffsets.length - 1)
  let room = 0
  const starts = wanted.map((place) => {
    next[place] = room + 1
    room += pageOffsets[place + 1] - pageOffsets[place]
    return next[place] - 1
  })
  const termsFound = new Uint32Array(room)
  const countsFound = new Uint32Array(room)
  for (let row = 0; row < terms.length; row++)
    for (let posting = offsets[row]; posting < offsets[row + 1]; posting++) {
      const at = next[places[posting]]
      if (at === 0) continue
      termsFound[at - 1] = terms[row]
      countsFound[at - 1] = counts[posting]
      next[places[posting]] = at + 1
    }
  return wanted.map((place, i) => ({
    lengths: lengths.slice(place * 4, place * 4 + 4),
    terms: termsFound.subarray(starts[i], next[place] - 1),
    counts: countsFound.subarray(starts[i], next[place] - 1),
  }))
}

/** Whether a page has just these terms in its anchor field; most often so, and told without taking it out. */
export function hasAnchors(segment: Segment, place: number, anchorTerms: AnchorTerms): boolean {
  const { lengths, offsets, places, counts } = segment
  if (lengths[place * 4 + ANCHOR] !== anchorTerms.length) return false
  for (const [term, wanted] of anchorTerms.counts) {
    const row = rowOfTerm(segment, term)
    if (row === undefined) return false
    const end = offsets[row + 1]
    const posting = seek(places, offsets[row], end, place)
    if (posting === end || places[posting] !== place) return false
    if ((counts[posting] & ANCHOR_BYTE) !== (wanted & ANCHOR_BYTE)) return false
  }
  return true
}

/** The words of an anchor field: how often each stands there, and how many they are. */
export interface AnchorTerms {
  readonly counts: ReadonlyMap<number, PackedCounts>
  readonly length: number
}

export function countedAnchors(terms: ArrayLike<number>): AnchorTerms {
  const counts = new Map<number, PackedCounts>()
  for (let i = 0; i < terms.length; i++)
    counts.set(terms[i], countOneMore(counts.get(terms[i]) ?? 0, ANCHOR))
  return { counts, length: terms.length }
}

/** A page under other anchors. */
export interface RenamedPage {
  readonly page: CountedPage
  /** The terms that are among them more or less often than before. */
  readonly changed: readonly number[]
  /** The terms that the page did not have at all, and those that it has no longer. */
  readonly come: readonly number[]
  readonly gone: readonly number[]
}

/** The page with other words in its anchor field. */
export function withAnchors(before: CountedPage, anchors: AnchorTerms): RenamedPage {
  const most = before.terms.length + anchors.counts.size
  const [terms, counts] = [new Uint32Array(most), new Uint32Array(most)]
  const changed: number[] = []
  const gone: number[] = []
  const had = new Set<number>()
  let size = 0
  for (let i = 0; i < before.terms.length; i++) {
    const term = before.terms[i]
    const wanted = anchors.counts.get(term) ?? 0
    if (wanted > 0) had.add(term)
    const count = ((before.counts[i] & ~ANCHOR_BYTE) | wanted) >>> 0
    if (count !== before.counts[i]) changed.push(term)
    if (count === 0) gone.push(term)
    else {
      terms[size] = term
      counts[size++] = count
    }
  }
  const come: number[] = []
  for (const [term, count] of anchors.counts) {
    if (had.has(term)) continue
    come.push(term)
    terms[size] = term
    counts[size++] = count
  }
  const lengths = before.lengths.slice()
  lengths[ANCHOR] = anchors.length
  const page = { lengths, terms: terms.subarray(0, size), counts: counts.subarray(0, size) }
  return { page, changed: [...changed, ...come], come, gone }
}
