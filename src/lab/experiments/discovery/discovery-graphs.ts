import { type CoverGraph, keepNewPages } from '../../covers/cover-graph.ts'
import { type DiscoverySite, graphBetween } from '../../revisits/discovery-site.ts'
import type { SiteGraphs } from './discovery-history.ts'

/** The whole archive by snapshot, on-site links only: what was new against the snapshot before. */
export function weeklyGraphs(site: DiscoverySite): (CoverGraph | undefined)[] {
  return site.versionsAt.map((_, t) => (t === 0 ? undefined : graphBetween(site, t - 1, t)))
}

/** The same with new listing pages left out; old ones still lead to what they list. */
export function withoutListings(
  { isListing }: DiscoverySite,
  graphs: readonly (CoverGraph | undefined)[],
): (CoverGraph | undefined)[] {
  return graphs.map((graph) => graph && keepNewPages(graph, (page) => isListing[page] === 0))
}

/** The graphs of an archive by site, for sites that are judged and budgeted one by one. */
export function bySite(
  site: DiscoverySite,
  graphs: readonly (CoverGraph | undefined)[],
): SiteGraphs[] {
  const { siteOf, siteCount, versionsAt } = site
  const live = Array.from({ length: siteCount }, () => new Uint32Array(versionsAt.length))
  for (const [snapshot, versions] of versionsAt.entries())
    for (const [page, version] of versions.entries())
      if (version >= 0) live[siteOf[page]][snapshot]++
  const parts = graphs.map((graph) => graph && splitBySite(graph, siteOf, siteCount))
  return Array.from({ length: siteCount }, (_, one) => ({
    graphs: parts.map((part) => part?.[one]),
    isLive: (page: number, snapshot: number) => versionsAt[snapshot][page] >= 0,
    liveCount: (snapshot: number) => live[one][snapshot],
    bornAt: (page: number) => site.bornAt[page],
  }))
}

/** No edge leads from one site to another, so every row belongs to one. Orphans are not told apart. */
export function splitBySite(
  graph: CoverGraph,
  siteOf: Uint32Array,
  siteCount: number,
): CoverGraph[] {
  if (siteCount === 1) return [graph]
  const { oldPages, newPages, covers } = graph
  const parts = Array.from({ length: siteCount }, () => ({
    oldPages: [] as number[],
    newPages: [] as number[],
    offsets: [0],
    targets: [] as number[],
  }))
  const placeOf = Array.from(newPages, (page) => parts[siteOf[page]].newPages.push(page) - 1)
  for (const [row, page] of oldPages.entries()) {
    const part = parts[siteOf[page]]
    part.oldPages.push(page)
    for (let edge = covers.offsets[row]; edge < covers.offsets[row + 1]; edge++)
      part.targets.push(placeOf[covers.targets[edge]])
    part.offsets.push(part.targets.length)
  }
  return parts.map((part) => ({
    oldPages: Uint32Array.from(part.oldPages),
    newPages: Uint32Array.from(part.newPages),
    covers: { offsets: Uint32Array.from(part.offsets), targets: Uint32Array.from(part.targets) },
    orphans: 0,
  }))
}
