import type { Archive } from '#archive/format/archive.ts'
import { type KnownAnchor, syntheticWorkload } from '#workload/synthetic.ts'
import type { StoredQuery } from '#workload/workload.ts'
import { liveVersion } from './weekly-pages.ts'

/** Queries from titles and anchor texts of the first snapshot, for an archive that has none. */
export function madeUpQueries(archive: Archive, limit: number): StoredQuery[] {
  return queriesFrom(
    archive,
    Array.from(archive.livePages(0), (page) => archive.versionAt(page, 0)!),
    limit,
  )
}

/** The same from every page that ever was, as it was last: also about pages that come later. */
export function madeUpQueriesOfAllTimes(archive: Archive, limit: number): StoredQuery[] {
  const versions: number[] = []
  for (let page = 0; page < archive.pageCount; page++) {
    for (let snapshot = archive.snapshotCount - 1; snapshot >= 0; snapshot--) {
      const version = liveVersion(archive, page, snapshot)
      if (version === undefined) continue
      versions.push(version)
      break
    }
  }
  return queriesFrom(archive, versions, limit)
}

function queriesFrom(archive: Archive, versions: readonly number[], limit: number): StoredQuery[] {
  const inLinks = new Uint32Array(archive.pageCount)
  const anchors = new Map<string, { links: number; pages: Set<number> }>()
  for (const version of versions) {
    archive.forEachLink(version, (link) => {
      const target = archive.linkPage(link)
      if (target === undefined || target === archive.pageOfVersion(version)) return
      inLinks[target]++
      const text = archive.linkAnchor(link)
      const known = anchors.get(text) ?? { links: 0, pages: new Set() }
      anchors.set(text, known)
      known.links++
      known.pages.add(target)
    })
  }
  const titles = versions.map((version) => ({
    title: archive.titleOf(version),
    inLinks: inLinks[archive.pageOfVersion(version)],
  }))
  const told: KnownAnchor[] = Array.from(anchors, ([text, { links, pages }]) => ({
    text,
    links,
    pages: pages.size,
  }))
  return syntheticWorkload(titles, told, limit)
}
