import { releaseArrays } from '#numeric/own-pages.ts'
import type { LiveSegment, Segment } from './segment.ts'

/** So many segments at least are merged into one. */
const MERGE_COUNT = 4

/** Only if the first grows threefold: so no page is merged often, and segments are never many. */
export function isWorthMerging([first, ...others]: readonly LiveSegment[]): boolean {
  const added = others.reduce((sum, { aliveCount }) => sum + aliveCount, 0)
  return others.length + 1 >= MERGE_COUNT && 2 * first.aliveCount <= added
}

/**
 * One segment of the pages that are still alive in several, in their order. This is when an index takes most memory: so
 * postings go straight to where they will lie, one column after the other, and those that were merged are given back
 * before the next. Nobody can read the segments afterwards.
 */
export function mergeSegments(segments: readonly LiveSegment[]): Segment {
  const { terms, offsets, rowOf } = aliveTerms(segments)
  const { urls, lengths, pageOffsets, rows, newPlaces } = mergedPages(segments, rowOf, offsets)
  const mergedColumn = (of: (live: LiveSegment, posting: number, number: number) => number) => {
    const column = new Uint32Array(rows.length)
    const next = offsets.slice(0, -1)
    for (const [number, live] of segments.entries()) {
      const { segment, alive } = live
      for (let row = 0; row < segment.terms.length; row++) {
        const newRow = rowOf[segment.terms[row]]
        for (let i = segment.offsets[row]; i < segment.offsets[row + 1]; i++)
          if (alive[segment.places[i]] !== 0) column[next[newRow]++] = of(live, i, number)
      }
    }
    return column
  }
  const counts = mergedColumn(({ segment }, posting) => segment.counts[posting])
  releaseArrays(segments.map(({ segment }) => segment.counts))
  const places = mergedColumn(
    ({ segment }, posting, number) => newPlaces[number][segment.places[posting]],
  )
  for (const { segment } of segments) releaseArrays(Object.values(segment))
  return { urls, lengths, terms, offsets, places, counts, pageOffsets, rows }
}

/** What a segment has by page, and the place that each page gets; the rows of those that were merged are given back. */
function mergedPages(segments: readonly LiveSegment[], rowOf: Uint32Array, offsets: Uint32Array) {
  const pageCount = segments.reduce((sum, { aliveCount }) => sum + aliveCount, 0)
  const urls = new Uint32Array(pageCount)
  const lengths = new Uint32Array(4 * pageCount)
  const pageOffsets = new Uint32Array(pageCount + 1)
  const rows = new Uint32Array(offsets[offsets.length - 1])
  let page = 0
  const newPlaces = segments.map(({ segment, alive }) => {
    const placesHere = new Uint32Array(alive.length)
    for (let place = 0; place < alive.length; place++) {
      if (alive[place] === 0) continue
      placesHere[place] = page
      urls[page] = segment.urls[place]
      lengths.set(segment.lengths.subarray(4 * place, 4 * place + 4), 4 * page)
      let at = pageOffsets[page]
      for (let i = segment.pageOffsets[place]; i < segment.pageOffsets[place + 1]; i++)
        rows[at++] = rowOf[segment.terms[segment.rows[i]]]
      pageOffsets[++page] = at
    }
    releaseArrays([segment.rows])
    return placesHere
  })
  return { urls, lengths, pageOffsets, rows, newPlaces }
}

/** The terms of pages that are alive, ascending, where the postings of each begin, and the row that each gets. */
function aliveTerms(segments: readonly LiveSegment[]) {
  let last = -1
  for (const { segment } of segments) last = Math.max(last, segment.terms.at(-1) ?? -1)
  const pagesWith = new Uint32Array(last + 1)
  for (const { segment, alive } of segments)
    for (let row = 0; row < segment.terms.length; row++)
      for (let i = segment.offsets[row]; i < segment.offsets[row + 1]; i++)
        pagesWith[segment.terms[row]] += alive[segment.places[i]]
  const rowCount = pagesWith.reduce((sum, pages) => sum + Number(pages > 0), 0)
  const terms = new Uint32Array(rowCount)
  const offsets = new Uint32Array(rowCount + 1)
  let row = 0
  for (let term = 0; term <= last; term++) {
    if (pagesWith[term] === 0) continue
    terms[row] = term
    offsets[row + 1] = offsets[row] + pagesWith[term]
    pagesWith[term] = row++
  }
  // Where a term is alive, its count has made room for its row.
  return { terms, offsets, rowOf: pagesWith }
}
