import type { ImportedWeb } from './imported-web.ts'
import type { PageHistory } from './page-histories.ts'

const NOTHING = -1

/**
 * Marks the pages that a crawler could come to know: from the start it follows the links of what is
 * live at each snapshot, and remembers what it knew before. `pageAt` gives the page at an address.
 */
export function reachablePages(
  web: ImportedWeb,
  histories: readonly PageHistory[],
  start: readonly number[],
  pageAt: (url: string) => number | undefined,
): Uint8Array {
  const pageOfLink = Int32Array.from(
    { length: web.linkCount },
    (_, link) => pageAt(web.link(link).url) ?? NOTHING,
  )
  const shown = new Int32Array(web.urls.size).fill(NOTHING) // content of each page at the snapshot
  const known = new Uint8Array(web.urls.size) // a link to it was seen
  const reached = new Uint8Array(web.urls.size) // and it was there at that time or later
  const waiting: number[] = [] // known and live, its links not yet followed
  const followed = new Uint8Array(web.contents.length) // what is known stays known
  const learn = (page: number) => {
    if (page === NOTHING || known[page]) return
    known[page] = 1
    if (shown[page] !== NOTHING) waiting.push(page)
  }
  start.forEach(learn)
  for (const changes of changesBySnapshot(histories)) {
    for (const { page, content } of changes) shown[page] = content
    for (const { page, content } of changes)
      if (known[page] && content !== NOTHING) waiting.push(page)
    for (let page = waiting.pop(); page !== undefined; page = waiting.pop()) {
      reached[page] = 1
      if (followed[shown[page]]) continue
      followed[shown[page]] = 1
      const { links: runs, redirect } = web.contents[shown[page]]
      for (let at = 0; at < runs.length; at += 2)
        for (let link = runs[at]; link < runs[at] + runs[at + 1]; link++) learn(pageOfLink[link])
      if (redirect !== undefined) learn(pageAt(redirect) ?? NOTHING)
    }
  }
  return reached
}

interface PageChange {
  readonly page: number
  readonly content: number
}

/** What pages come to show, or cease to, snapshot by snapshot. */
function changesBySnapshot(histories: readonly PageHistory[]): PageChange[][] {
  const bySnapshot: PageChange[][] = []
  const note = (snapshot: number, page: number, content: number) => {
    bySnapshot[snapshot] ??= []
    bySnapshot[snapshot].push({ page, content })
  }
  for (const { page, spans } of histories)
    for (const [i, [first, last, content]] of spans.entries()) {
      note(first, page, content)
      if (spans[i + 1]?.[0] !== last + 1) note(last + 1, page, NOTHING)
    }
  return bySnapshot.filter((changes) => changes !== undefined)
}
