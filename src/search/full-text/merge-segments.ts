import type { LiveSegment, Segment } from './segment.ts'
import { SegmentBuilder } from './segment-builder.ts'

/** One segment of the pages that are still alive in several, in their order. */
export function mergeSegments(segments: readonly LiveSegment[]): Segment {
  const builder = new SegmentBuilder()
  for (const live of segments) addAlive(live, builder)
  return builder.build()
}

/** Pages come in the order of their places, as postings do: one cursor a term finds every count. */
function addAlive({ segment, alive }: LiveSegment, builder: SegmentBuilder): void {
  const { urls, lengths, terms, offsets, counts, pageOffsets, rows } = segment
  const cursors = offsets.slice()
  for (let place = 0; place < urls.length; place++) {
    const [start, end] = [pageOffsets[place], pageOffsets[place + 1]]
    const pageTerms = new Uint32Array(end - start)
    const pageCounts = new Uint32Array(end - start)
    for (let i = start; i < end; i++) {
      pageTerms[i - start] = terms[rows[i]]
      pageCounts[i - start] = counts[cursors[rows[i]]++]
    }
    if (alive[place] === 0) continue
    const pageLengths = lengths.subarray(place * 4, place * 4 + 4)
    builder.addCounted(urls[place], pageLengths, pageTerms, pageCounts)
  }
}
