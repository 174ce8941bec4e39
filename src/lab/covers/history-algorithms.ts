import { rowOf } from '#numeric/csr.ts'
import { greedyCover } from './greedy-cover.ts'
import { type Aggregation, byShare, pastShares, type Recrawl } from './past-recrawls.ts'
import { overlapClusters } from './redundancy.ts'

/**
 * Which pages to fetch again, best first, by what past full recrawls showed (oldest first). With a
 * budget of k the first k are fetched.
 */
export type HistoryAlgorithm = (recrawls: readonly Recrawl[], now: number) => Uint32Array

/**
 * Pages by the share of new pages they led to at all recrawls.
 *
 * @paper DasguptaEtAl2007 §5.1 and §5.4 — OD-WIN; OD-ALL when every step is a recrawl.
 */
export function odWin(aggregation: Aggregation = {}): HistoryAlgorithm {
  return (recrawls, now) => byShare(pastShares(recrawls, now, aggregation))
}

/** Pages by the share they led to at the last recrawl. @paper DasguptaEtAl2007 §5.4 — OD-1 */
export const odLast: HistoryAlgorithm = (recrawls, now) =>
  byShare(pastShares(recrawls.slice(-1), now))

/**
 * One page of each cluster of pages that led to much the same at the last recrawl; the cluster's best.
 *
 * @paper DasguptaEtAl2007 §5.2 — CLIQ-1, sorted by q as the output demands, not by p as the text says.
 */
export function cliqLast(least: number): HistoryAlgorithm {
  return (recrawls) => byShare(representatives(recrawls.at(-1), least))
}

/**
 * The clusters of the last recrawl, and beside them every page that ever led to a new one as a cluster
 * of its own, by the share it led to at all recrawls.
 *
 * @paper DasguptaEtAl2007 §5.4 — CLIQ-WIN; a page that comes twice keeps its better place.
 */
export function cliqWin(least: number): HistoryAlgorithm {
  return (recrawls, now) => {
    const clusters = representatives(recrawls.at(-1), least)
    const singles = pastShares(recrawls, now)
    const best = new Map<number, number>()
    for (const { pages, shares } of [clusters, singles])
      for (const [i, page] of pages.entries())
        best.set(page, Math.max(best.get(page) ?? 0, shares[i]))
    const pages = Uint32Array.from(best.keys()).sort()
    return byShare({ pages, shares: Float64Array.from(pages, (page) => best.get(page)!) })
  }
}

/**
 * The greedy cover of what was new at the last recrawl, used until the next; its first k pages are the
 * cover of size k.
 *
 * @paper DasguptaEtAl2007 §5.3 — COV
 */
export const pastCover: HistoryAlgorithm = (recrawls) => {
  const last = recrawls.at(-1)
  if (last === undefined) return new Uint32Array(0)
  return greedyCover(last.graph.covers).rows.map((row) => last.graph.oldPages[row])
}

/** Every page that led to a new one at any recrawl, ascending: what nobody can do better than from history. */
export function everLed(recrawls: readonly Recrawl[]): Uint32Array {
  const pages = new Set<number>()
  for (const { graph } of recrawls) for (const page of graph.oldPages) pages.add(page)
  return Uint32Array.from(pages).sort()
}

/** Of each cluster the page that led to most, of equals the lowest, with its share. */
function representatives(recrawl: Recrawl | undefined, least: number) {
  if (recrawl === undefined) return { pages: new Uint32Array(0), shares: new Float64Array(0) }
  const { oldPages, newPages, covers } = recrawl.graph
  const clusters = overlapClusters(covers, least)
  const degree = (row: number) => rowOf(covers, row).length
  const bestRow = new Map<number, number>()
  for (const [row, cluster] of clusters.entries()) {
    const best = bestRow.get(cluster)
    if (best === undefined || degree(row) > degree(best)) bestRow.set(cluster, row)
  }
  const rows = [...bestRow.values()].sort((a, b) => a - b)
  return {
    pages: Uint32Array.from(rows, (row) => oldPages[row]),
    shares: Float64Array.from(rows, (row) => degree(row) / newPages.length),
  }
}
