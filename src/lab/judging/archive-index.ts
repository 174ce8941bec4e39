import type { Archive } from '#archive/format/archive.ts'
import { pageLanguage } from '#parse/language/page-language.ts'
import { TextIndex } from '#search/full-text/text-index.ts'
import type { Analyser, SearchablePage } from '#search/text/analysis.ts'

/** What is indexed of a page: what it is about, or all it says, menus and footers too. */
export const INDEXED_TEXTS = ['main', 'all'] as const
type IndexedText = (typeof INDEXED_TEXTS)[number]

/** An index of all pages live at a snapshot, with the anchor texts of the links among them. */
export function indexArchive(
  archive: Archive,
  snapshot: number,
  analyser: Analyser,
  shown: IndexedText = 'main',
): TextIndex {
  const index = new TextIndex(analyser)
  for (const [page, content] of searchablePages(archive, snapshot, shown))
    index.replace(page, content)
  index.flush()
  return index
}

/** The pages live at a snapshot as an index takes them in, by number; redirects have nothing to say. */
export function* searchablePages(
  archive: Archive,
  snapshot: number,
  shown: IndexedText = 'main',
): Generator<[page: number, content: SearchablePage]> {
  const anchors = anchorsByPage(archive, snapshot)
  for (const page of archive.livePages(snapshot)) {
    const version = archive.versionAt(page, snapshot)!
    if (archive.redirectOf(version) !== undefined) continue
    const text = shown === 'main' ? archive.mainTextOf(version) : archive.textOf(version)
    const content = {
      url: archive.urlOf(page),
      title: archive.titleOf(version),
      text,
      anchors: [...(anchors.get(page) ?? [])],
      language: pageLanguage(text, undefined),
    }
    yield [page, content]
  }
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
