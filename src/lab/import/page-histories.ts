import type { ImportedWeb } from './imported-web.ts'

/** One page over the snapshots: `[first, last, content]`, ascending; between spans it was gone. */
export interface PageHistory {
  readonly page: number
  readonly spans: readonly (readonly [first: number, last: number, content: number])[]
}

const NOTHING = -1

/**
 * What each page was at the end of every snapshot: what it was last seen to be. A page that was never
 * there at the end of one is left out. `snapshotOf` gives the snapshot a moment falls into.
 */
export function pageHistories(
  web: ImportedWeb,
  snapshotOf: (at: number) => number,
  snapshots: number,
): PageHistory[] {
  const histories: PageHistory[] = []
  for (let page = 0; page < web.urls.size; page++) {
    const spans = spansOf(statesOf(web, page, snapshotOf), snapshots)
    if (spans.length > 0) histories.push({ page, spans })
  }
  return histories
}

/** From which snapshot on a page had which content; the last of several in one snapshot counts. */
function statesOf(
  web: ImportedWeb,
  page: number,
  snapshotOf: (at: number) => number,
): Map<number, number> {
  const states = new Map<number, number>()
  let lastContent = NOTHING
  for (const { at, content: seen, digest } of web.sightingsOf(page)) {
    let content = NOTHING
    if (typeof seen === 'number') content = seen
    else if (seen === 'unchanged')
      content =
        (digest === undefined ? undefined : web.contentOfDigest(page, digest)) ?? lastContent
    if (content !== NOTHING) lastContent = content
    states.set(snapshotOf(at), content)
  }
  return states
}

function spansOf(
  states: ReadonlyMap<number, number>,
  snapshots: number,
): [number, number, number][] {
  const spans: [number, number, number][] = []
  for (const [snapshot, content] of states) {
    const last = spans.at(-1)
    if (last && last[1] === snapshots - 1) {
      if (last[2] === content) continue
      last[1] = snapshot - 1
    }
    if (content !== NOTHING) spans.push([snapshot, snapshots - 1, content])
  }
  return spans
}
