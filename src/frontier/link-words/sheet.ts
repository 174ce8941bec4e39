import { type AnchorPairs, PAIR_LINKS, PAIR_RUN, PAIR_SIZE, PAIR_URL, PAIR_WORDS } from './pairs.ts'
import type { NgramRuns } from './query-ngrams.ts'

/**
 * The anchor texts of each URL, one URL after another. For each text: its links, its words, and
 * its run (see `NgramRuns`); texts without an n-gram are left out. Read in sequence, this takes
 * less than half the time of following pairs and runs through memory.
 */
export interface AnchorSheet {
  /** Texts of URL u lie from starts[u] to starts[u + 1]. */
  readonly starts: Uint32Array
  readonly texts: Uint32Array
}

/** Numbers of a text before its run. */
export const BEFORE_RUN = 2

/** Writes down what living pairs say, of so many URLs. */
export function writeSheet(pairs: AnchorPairs, anchors: NgramRuns, urlCount: number): AnchorSheet {
  const records = pairs.records()
  const { runs } = anchors.layout()
  const sizeOf = (at: number) => {
    const grams = runs[records[at + PAIR_RUN]]
    return records[at + PAIR_LINKS] > 0 && grams > 0 ? BEFORE_RUN + 1 + grams : 0
  }
  const starts = new Uint32Array(urlCount + 1)
  for (let at = 0; at < records.length; at += PAIR_SIZE)
    starts[records[at + PAIR_URL] + 1] += sizeOf(at)
  for (let url = 0; url < urlCount; url++) starts[url + 1] += starts[url]
  const texts = new Uint32Array(starts[urlCount])
  const ends = starts.slice()
  for (let at = 0; at < records.length; at += PAIR_SIZE) {
    const size = sizeOf(at)
    if (size === 0) continue
    const url = records[at + PAIR_URL]
    const to = ends[url]
    const run = records[at + PAIR_RUN]
    texts[to] = records[at + PAIR_LINKS]
    texts[to + 1] = records[at + PAIR_WORDS]
    for (let i = 0; i < size - BEFORE_RUN; i++) texts[to + BEFORE_RUN + i] = runs[run + i]
    ends[url] += size
  }
  return { starts, texts }
}
