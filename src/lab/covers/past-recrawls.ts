import { rowOf } from '#numeric/csr.ts'
import type { CoverGraph } from './cover-graph.ts'

/** What a full recrawl of a site showed. */
export interface Recrawl {
  /** In any unit, the same throughout: weeks in the lab. */
  readonly time: number
  readonly graph: CoverGraph
}

/** A quantity for each page that has one; pages are ascending. */
interface PageShares {
  readonly pages: Uint32Array
  readonly shares: Float64Array
}

export interface Aggregation {
  /** What a recrawl counts for, a unit of time later; 1 is the plain mean. */
  readonly alpha?: number
  /** When a page was born: recrawls before that do not count against it. Without, they count as 0. */
  readonly bornAt?: (page: number) => number
}

/**
 * The share of the new pages that each old page led to, averaged over recrawls; quiet weeks weigh as
 * much as busy ones. Recrawls that found nothing new say nothing.
 *
 * @paper DasguptaEtAl2007 §5.4 — a page counts 0 before its birth, unless `bornAt` is given.
 */
export function pastShares(
  recrawls: readonly Recrawl[],
  now: number,
  { alpha = 1, bornAt }: Aggregation = {},
): PageShares {
  const telling = recrawls.filter(({ graph }) => graph.newPages.length > 0)
  const weightOf = ({ time }: Recrawl) => alpha ** (now - time)
  const sums = new Map<number, number>()
  for (const recrawl of telling) {
    const { oldPages, newPages, covers } = recrawl.graph
    for (const [row, page] of oldPages.entries()) {
      const share = rowOf(covers, row).length / newPages.length
      sums.set(page, (sums.get(page) ?? 0) + weightOf(recrawl) * share)
    }
  }
  const pages = Uint32Array.from(sums.keys()).sort()
  const total = (from: number) =>
    telling.reduce((sum, one) => sum + (one.time > from ? weightOf(one) : 0), 0)
  const all = total(Number.NEGATIVE_INFINITY)
  const shares = Float64Array.from(
    pages,
    (page) => sums.get(page)! / (bornAt === undefined ? all : total(bornAt(page))),
  )
  return { pages, shares }
}

/** Pages by their shares, the largest first, of equals the lower page. */
export function byShare({ pages, shares }: PageShares): Uint32Array {
  const order = Uint32Array.from(pages.keys())
  return order.sort((a, b) => shares[b] - shares[a] || a - b).map((place) => pages[place])
}
