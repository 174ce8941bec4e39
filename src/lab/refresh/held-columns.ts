import { powerVisibility } from '#search/gain/visibility.ts'
import type { AnswerScores } from './answer-scores.ts'
import { NOTHING, type WeeklyPages } from './weekly-pages.ts'

/**
 * What `HeldAnswers` keeps, and a copy of it has of its own. By slot: its place in the order searchers see, its
 * rank there or -1, what the copy and the live page score. By query: how many answers there are. By page: its
 * content as held and as it is, and how often searchers see it.
 */
export interface HeldColumns {
  readonly order: Uint32Array
  readonly places: Int32Array
  readonly lengths: Uint32Array
  readonly stored: Float64Array
  readonly live: Float64Array
  readonly storedContents: Uint32Array
  readonly liveContents: Uint32Array
  readonly clicks: Float64Array
}

/** Columns for copies as the pages are in a week, with nothing ranked yet. */
export function columnsAt(
  pages: WeeklyPages,
  answers: AnswerScores,
  week: number,
  isHeld: (page: number) => boolean,
): HeldColumns {
  const { slotPages, shares } = answers
  const pageCount = pages.archivePages.length
  const live = new Float64Array(slotPages.length)
  const liveContents = new Uint32Array(pageCount)
  const stored = new Float64Array(slotPages.length)
  const storedContents = new Uint32Array(pageCount).fill(NOTHING)
  for (let page = 0; page < pageCount; page++) {
    const content = pages.contents[page * pages.weeks + week]
    liveContents[page] = content
    if (isHeld(page)) storedContents[page] = content
    for (let at = answers.offsets[content]; at < answers.offsets[content + 1]; at++) {
      live[answers.slots[at]] = answers.scores[at]
      if (isHeld(page)) stored[answers.slots[at]] = answers.scores[at]
    }
  }
  return {
    order: new Uint32Array(slotPages.length),
    places: new Int32Array(slotPages.length).fill(-1),
    lengths: new Uint32Array(shares.length),
    stored,
    live,
    storedContents,
    liveContents,
    clicks: new Float64Array(pageCount),
  }
}

/** The same, with a fate of its own. */
export function copyOf(columns: HeldColumns): HeldColumns {
  return {
    order: columns.order.slice(),
    places: columns.places.slice(),
    lengths: columns.lengths.slice(),
    stored: columns.stored.slice(),
    live: columns.live.slice(),
    storedContents: columns.storedContents.slice(),
    liveContents: columns.liveContents.slice(),
    clicks: columns.clicks.slice(),
  }
}

/** What searchers see of each place, from 0, as far as the longest list needs. */
export function visibilities(slotOffsets: Uint32Array): Float64Array {
  let longest = 0
  for (let query = 0; query + 1 < slotOffsets.length; query++)
    longest = Math.max(longest, slotOffsets[query + 1] - slotOffsets[query])
  return Float64Array.from({ length: longest + 1 }, (_, place) => powerVisibility(place + 1))
}
