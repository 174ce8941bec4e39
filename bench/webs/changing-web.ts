import type { Archive } from '#archive/format/archive.ts'
import { RecordedWeb } from '#archive/recorded-web.ts'
import { searchablePages } from '#lab/judging/archive-index.ts'
import type { SearchablePage } from '#search/text/analysis.ts'

/** What a cycle finds: a page, or that it is gone. */
export type Visit = readonly [url: number, found: SearchablePage | undefined]

/** A changing web as an index meets it: everything at first, then by cycle a week's changes. */
export interface Stream {
  readonly first: readonly Visit[]
  readonly cycles: readonly (readonly Visit[])[]
  /** The documents that the pages of all cycles are parsed from. */
  readonly documents: readonly { readonly url: string; readonly body: Uint8Array }[]
}

/** Follows an archive from snapshot to snapshot: pages whose main text changed, new ones, and those gone. */
export function streamOf(archive: Archive): Stream {
  const encoder = new TextEncoder()
  const documents: Stream['documents'][number][] = []
  const cycles: Visit[][] = []
  const first = [...searchablePages(archive, 0)]
  let before = new Map(first)
  for (let week = 1; week < archive.snapshotCount; week++) {
    const after = new Map(searchablePages(archive, week))
    const gone = [...before.keys()].filter((url) => !after.has(url))
    const changed = [...after].filter(([url, { text }]) => before.get(url)?.text !== text)
    cycles.push([...gone.map((url): Visit => [url, undefined]), ...changed])
    const web = new RecordedWeb(archive, week)
    for (const [page, { url }] of changed) {
      const html = web.htmlOf(archive.versionAt(page, week)!)
      documents.push({ url, body: encoder.encode(html) })
    }
    before = after
  }
  return { first, cycles, documents }
}
