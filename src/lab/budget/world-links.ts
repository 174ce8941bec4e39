import type { Archive } from '#archive/format/archive.ts'
import { StringTable } from '#numeric/string-table.ts'

/** What the links of an archive lead to and say, looked up once: a crawler meets the same link a thousand times. */
export interface WorldLinks {
  /** By page of the archive: its number in the world, or -1 if it never was a page. */
  readonly pageOf: Int32Array
  /** By link of the archive: the page it leads to, or -1 if it leads to none. */
  readonly pages: Int32Array
  /** By link: the number of its anchor text. */
  readonly anchors: Uint32Array
  readonly anchorTexts: readonly string[]
}

/** All links of an archive; `pageOf` as in the result. */
export function worldLinks(archive: Archive, pageOf: Int32Array): WorldLinks {
  const texts = new StringTable()
  const pages = new Int32Array(archive.linkCount).fill(-1)
  const anchors = new Uint32Array(archive.linkCount)
  for (let link = 0; link < archive.linkCount; link++) {
    const target = archive.linkPage(link)
    if (target === undefined || pageOf[target] < 0) continue
    pages[link] = pageOf[target]
    anchors[link] = texts.add(archive.linkAnchor(link))
  }
  const anchorTexts = Array.from({ length: texts.size }, (_, text) => texts.at(text))
  return { pageOf, pages, anchors, anchorTexts }
}
