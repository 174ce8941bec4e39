import type { Archive } from '#repository/archive/archive.ts'
import { type KnownAnchor, syntheticWorkload } from '#workload/synthetic.ts'
import type { StoredQuery } from '#workload/workload.ts'

/** Queries from titles and anchor texts of the first snapshot, for an archive that has none. */
export function madeUpQueries(archive: Archive, limit: number): StoredQuery[] {
  const inLinks = new Uint32Array(archive.pageCount)
  const anchors = new Map<string, { links: number; pages: Set<number> }>()
  const live = archive.livePages(0)
  for (const page of live) {
    archive.forEachLink(archive.versionAt(page, 0)!, (link) => {
      const target = archive.linkPage(link)
      if (target === undefined || target === page) return
      inLinks[target]++
      const text = archive.linkAnchor(link)
      const known = anchors.get(text) ?? { links: 0, pages: new Set() }
      anchors.set(text, known)
      known.links++
      known.pages.add(target)
    })
  }
  const titles = Array.from(live, (page) => ({
    title: archive.titleOf(archive.versionAt(page, 0)!),
    inLinks: inLinks[page],
  }))
  const told: KnownAnchor[] = Array.from(anchors, ([text, { links, pages }]) => ({
    text,
    links,
    pages: pages.size,
  }))
  return syntheticWorkload(titles, told, limit)
}
