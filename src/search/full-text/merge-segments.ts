import type { LiveSegment, Segment } from './segment.ts'

/**
 * One segment of the pages that are still alive in several, in their order. Postings go straight to where they
 * will lie: a builder would hold them a second time, and this is when an index takes most memory.
 */
export function mergeSegments(segments: readonly LiveSegment[]): Segment {
  const { terms, offsets, rowOf } = aliveTerms(segments)
  const pageCount = segments.reduce((sum, { aliveCount }) => sum + aliveCount, 0)
  const urls = new Uint32Array(pageCount)
  const lengths = new Uint32Array(4 * pageCount)
  const pageOffsets = new Uint32Array(pageCount + 1)
  const rows = new Uint32Array(offsets[terms.length])
  const places = new Uint32Array(rows.length)
  const counts = new Uint32Array(rows.length)
  const next = offsets.slice(0, -1)
  let page = 0
  for (const { segment, alive } of segments) {
    const newPlaces = new Uint32Array(alive.length)
    for (let place = 0; place < alive.length; place++) {
      if (alive[place] === 0) continue
      newPlaces[place] = page
      urls[page] = segment.urls[place]
      lengths.set(segment.lengths.subarray(4 * place, 4 * place + 4), 4 * page)
      let at = pageOffsets[page]
      for (let i = segment.pageOffsets[place]; i < segment.pageOffsets[place + 1]; i++)
        rows[at++] = rowOf[segment.terms[segment.rows[i]]]
      pageOffsets[++page] = at
    }
    for (let row = 0; row < segment.terms.length; row++) {
      const newRow = rowOf[segment.terms[row]]
      for (let i = segment.offsets[row]; i < segment.offsets[row + 1]; i++) {
        if (alive[segment.places[i]] === 0) continue
        const posting = next[newRow]++
        places[posting] = newPlaces[segment.places[i]]
        counts[posting] = segment.counts[i]
      }
    }
  }
  return { urls, lengths, terms, offsets, places, counts, pageOffsets, rows }
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
