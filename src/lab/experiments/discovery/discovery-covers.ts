import { type CoverGraph, mergeNewPages } from '../../covers/cover-graph.ts'
import { greedyCover, partialCover } from '../../covers/greedy-cover.ts'
import { overlapHistogram } from '../../covers/redundancy.ts'
import { type DiscoverySite, graphBetween } from '../../revisits/discovery-site.ts'
import { splitBySite } from './discovery-graphs.ts'
import type { SiteGraphs } from './discovery-history.ts'

/** The greedy cover of one site at one snapshot. */
export interface GreedyRound {
  readonly t: number
  readonly newPages: number
  /** New pages that each page of the cover adds. */
  readonly gains: readonly number[]
}

/** How much pairs of old pages overlap in what they lead to: one of equal bins from 0 to 1. */
export interface OverlapBin {
  /** Jaccard from here to the next bin's, the last one included. */
  readonly from: number
  pairs: number
  /** Sum over rounds of the share of their pairs in this bin, and the rounds that had a pair. */
  shares: number
  rounds: number
}

/** Covers when a site is looked at only every so many snapshots. */
export interface GapCovers {
  readonly gap: number
  rounds: number
  newPages: number
  cover90: number
  covered90: number
  cover100: number
}

/** What was new on new sites and on old ones at one snapshot of an archive of several sites. */
export interface NewSites {
  readonly t: number
  readonly newSites: number
  readonly pagesOnNewSites: number
  readonly pagesOnOldSites: number
  /** New sites that each page of a greedy cover adds. */
  readonly gains: readonly number[]
}

/** New sites over all looks at a web, every `gap` snapshots. */
export interface NewSitesAtGap {
  readonly gap: number
  readonly newSites: number
  /** Those that pages of old sites lead to, and the fewest such pages. */
  readonly ledTo: number
  readonly byPages: number
  readonly mostByOne: number
  readonly pagesOnNewSites: number
  readonly pagesOnOldSites: number
}

const BINS = 20
const GAPS = [1, 2, 4, 8, 13, 26]

/** Greedy covers of all sites and snapshots that have anything new. */
export function greedyRounds(sites: readonly SiteGraphs[]): GreedyRound[] {
  return sites.flatMap(({ graphs }) =>
    graphs.flatMap((graph, t) => {
      if (graph === undefined || graph.newPages.length === 0) return []
      return [{ t, newPages: graph.newPages.length, gains: [...greedyCover(graph.covers).gains] }]
    }),
  )
}

/** How alike old pages are in what they lead to, over all sites and snapshots. */
export function overlapOf(sites: readonly SiteGraphs[]): OverlapBin[] {
  const bins = Array.from({ length: BINS }, (_, bin) => ({
    ...{ from: bin / BINS, pairs: 0, shares: 0, rounds: 0 },
  }))
  for (const graph of sites.flatMap(({ graphs }) => graphs)) {
    if (graph === undefined || graph.oldPages.length < 2) continue
    const pairs = overlapHistogram(graph.covers, BINS)
    const all = pairs.reduce((sum, count) => sum + count, 0)
    for (const [i, bin] of bins.entries()) {
      bin.rounds++
      bin.pairs += pairs[i]
      bin.shares += pairs[i] / all
    }
  }
  return bins
}

/** Covers at longer and longer gaps: a site that publishes more between two looks is like a larger one. */
export function coversByGap(site: DiscoverySite): GapCovers[] {
  return GAPS.filter((gap) => gap < site.snapshots).map((gap) => {
    const sums = { gap, rounds: 0, newPages: 0, cover90: 0, covered90: 0, cover100: 0 }
    for (let from = 0; from + gap < site.snapshots; from += gap) {
      const graph = graphBetween(site, from, from + gap)
      for (const part of splitBySite(graph, site.siteOf, site.siteCount)) addCovers(sums, part)
    }
    return sums
  })
}

function addCovers(sums: GapCovers, { covers, newPages }: CoverGraph): void {
  if (newPages.length === 0) return
  const { gains } = greedyCover(covers)
  const partial = partialCover(gains, 0.9, newPages.length)
  sums.rounds++
  sums.newPages += newPages.length
  sums.cover90 += partial.size
  sums.covered90 += partial.covered
  sums.cover100 += gains.length
}

/**
 * New pages on new sites and on old ones, and the pages of old sites that lead to the new sites, when the web is looked
 * at every so many snapshots.
 *
 * @paper DasguptaEtAl2007 §4.4 — a site is a registrable domain.
 */
export function newSitesOf(site: DiscoverySite, gap = 1): NewSites[] {
  if (site.siteCount === 1) return []
  const openedAt = new Uint32Array(site.siteCount).fill(site.snapshots)
  for (const [page, born] of site.bornAt.entries())
    openedAt[site.siteOf[page]] = Math.min(openedAt[site.siteOf[page]], born)
  const steps: NewSites[] = []
  for (let t = gap; t < site.snapshots; t += gap) {
    const isNew = (born: number) => born > t - gap && born <= t
    let pagesOnNewSites = 0
    let pagesOnOldSites = 0
    for (const [page, born] of site.bornAt.entries()) {
      if (!isNew(born)) continue
      if (isNew(openedAt[site.siteOf[page]])) pagesOnNewSites++
      else pagesOnOldSites++
    }
    const graph = mergeNewPages(graphBetween(site, t - gap, t, { acrossSites: true }), (page) =>
      isNew(openedAt[site.siteOf[page]]) ? site.siteOf[page] : undefined,
    )
    const newSites = openedAt.filter(isNew).length
    const gains = [...greedyCover(graph.covers).gains]
    steps.push({ t, newSites, pagesOnNewSites, pagesOnOldSites, gains })
  }
  return steps
}

/** The same in sums, at longer and longer gaps: the more sites open between two looks, the more one page may lead to. */
export function newSitesByGap(site: DiscoverySite): NewSitesAtGap[] {
  return GAPS.filter((gap) => gap < site.snapshots && site.siteCount > 1).map((gap) => {
    const steps = newSitesOf(site, gap)
    const gains = steps.flatMap((step) => step.gains)
    const sum = (field: 'newSites' | 'pagesOnNewSites' | 'pagesOnOldSites') =>
      steps.reduce((all, step) => all + step[field], 0)
    return {
      gap,
      newSites: sum('newSites'),
      ledTo: gains.reduce((all, gain) => all + gain, 0),
      byPages: gains.length,
      mostByOne: Math.max(0, ...gains),
      pagesOnNewSites: sum('pagesOnNewSites'),
      pagesOnOldSites: sum('pagesOnOldSites'),
    }
  })
}
