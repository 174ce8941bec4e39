import type { Archive } from '#repository/archive/archive.ts'
import type { Analyser } from '#search/analysis.ts'
import { TextIndex } from '#search/text-index.ts'

/** An index of all pages live at a snapshot, with the anchor texts of the links among them. */
export function indexArchive(archive: Archive, snapshot: number, analyser: Analyser): TextIndex {
  const anchors = anchorsByPage(archive, snapshot)
  const index = new TextIndex(analyser)
  for (const page of archive.livePages(snapshot)) {
    const version = archive.versionAt(page, snapshot)!
    if (archive.redirectOf(version) !== undefined) continue
    index.replace(page, {
      url: archive.urlOf(page),
      title: archive.titleOf(version),
      text: archive.mainTextOf(version),
      anchors: [...(anchors.get(page) ?? [])],
    })
  }
  index.flush()
  return index
}

/** What links call each page, each wording once: a menu says the same on every page. */
function anchorsByPage(archive: Archive, snapshot: number): Map<number, Set<string>> {
  const anchors = new Map<number, Set<string>>()
  for (const page of archive.livePages(snapshot)) {
    archive.forEachLink(archive.versionAt(page, snapshot)!, (link) => {
      const target = archive.linkPage(link)
      if (target === undefined || target === page) return
      const known = anchors.get(target) ?? new Set()
      known.add(archive.linkAnchor(link))
      anchors.set(target, known)
    })
  }
  return anchors
}
