import type { LinkStore } from '#frontier/links/link-store.ts'
import { csrFromEdges, rowOf } from '#numeric/csr.ts'

/** What links call URLs. */
export interface AnchorTexts {
  /** The texts of the links to a URL, with how many links have each, the most frequent first. */
  of(url: number): readonly { readonly text: string; readonly links: number }[]
}

/** The anchor texts of all links that are held; they are sorted by target when somebody first asks. */
export function anchorTexts(links: LinkStore, urlCount: number): AnchorTexts {
  let byTarget: ReturnType<typeof csrFromEdges> | undefined
  return {
    of: (url) => {
      byTarget ??= anchorsByTarget(links, urlCount)
      const counts = new Map<number, number>()
      for (const anchor of rowOf(byTarget, url)) counts.set(anchor, (counts.get(anchor) ?? 0) + 1)
      return Array.from(counts, ([anchor, count]) => ({
        text: links.anchors.at(anchor),
        links: count,
      })).sort((a, b) => b.links - a.links || (a.text < b.text ? -1 : 1))
    },
  }
}

function anchorsByTarget(links: LinkStore, urlCount: number) {
  const [targets, anchors] = [new Uint32Array(links.size), new Uint32Array(links.size)]
  let count = 0
  for (let page = 0; page < urlCount; page++) {
    const row = links.rowOf(page)
    targets.set(row.targets, count)
    anchors.set(row.anchors, count)
    count += row.targets.length
  }
  return csrFromEdges(urlCount, targets, anchors)
}
