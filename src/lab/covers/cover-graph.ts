import type { Csr } from '#numeric/csr.ts'
import { GrowingColumn } from '#numeric/grow.ts'

/** What a page is at one step; anything else is out of the game. */
export const OLD = 1
export const NEW = 2

/** A site at one step: who links to whom now, who was there before, who is new. */
export interface SiteStep {
  /** Row r holds the pages that r links to, on-site links only. */
  readonly links: Csr
  /** The row with a page's links; left out where rows are pages. */
  readonly rowOf?: Int32Array
  /** By page: OLD, NEW or something else. */
  readonly roles: Uint8Array
}

/** Which old pages lead to which new ones: row i of `covers` belongs to oldPages[i]. */
export interface CoverGraph {
  /** Old pages that lead to any new page, ascending. */
  readonly oldPages: Uint32Array
  /** New pages that any old page leads to, ascending. */
  readonly newPages: Uint32Array
  /** Targets are places in `newPages`, each once, the nearest first. */
  readonly covers: Csr
  /** New pages that no old page leads to, dropped. */
  readonly orphans: number
}

/**
 * The graph of old pages and the new pages each leads to: those it links to, and those these lead on
 * to by way of new pages only, which have to be fetched anyway.
 *
 * @paper DasguptaEtAl2007 §2.1 — "covered by x0" means x; old pages that are gone cover nothing.
 */
export function coverGraph({ links, rowOf, roles }: SiteStep): CoverGraph {
  const pages = roles.length
  const reachedBy = new Uint32Array(pages) // old page + 1 that reached it last
  const oldPages = new GrowingColumn(Uint32Array)
  const ends = new GrowingColumn(Uint32Array)
  let reached = new Uint32Array(1024)
  let count = 0
  for (let page = 0; page < pages; page++) {
    if (roles[page] !== OLD) continue
    const start = count
    for (let next = start - 1; next < count; next++) {
      const from = next < start ? page : reached[next]
      const row = rowOf === undefined ? from : rowOf[from]
      const most = count + links.offsets[row + 1] - links.offsets[row]
      if (most > reached.length) reached = larger(reached, most)
      count = followLinks(links, row, roles, reachedBy, page + 1, reached, count)
    }
    if (count === start) continue
    oldPages.push(page)
    ends.push(count)
  }
  return assembled(oldPages.view(), ends.view(), reached.subarray(0, count), roles, reachedBy)
}

/** Appends the new pages of a row that this old page (+ 1: its stamp) has not reached; gives the new count. */
function followLinks(
  { offsets, targets }: Csr,
  row: number,
  roles: Uint8Array,
  reachedBy: Uint32Array,
  stamp: number,
  reached: Uint32Array,
  count: number,
): number {
  const end = offsets[row + 1]
  let size = count
  for (let edge = offsets[row]; edge < end; edge++) {
    const target = targets[edge]
    if (roles[target] !== NEW || reachedBy[target] === stamp) continue
    reachedBy[target] = stamp
    reached[size++] = target
  }
  return size
}

function larger(values: Uint32Array, least: number): Uint32Array<ArrayBuffer> {
  const grown = new Uint32Array(Math.max(least, 2 * values.length))
  grown.set(values)
  return grown
}

function assembled(
  oldPages: Uint32Array,
  ends: Uint32Array,
  reached: Uint32Array,
  roles: Uint8Array,
  reachedBy: Uint32Array,
): CoverGraph {
  const placeOf = new Uint32Array(roles.length)
  const newPages: number[] = []
  let orphans = 0
  for (let page = 0; page < roles.length; page++) {
    if (roles[page] !== NEW) continue
    placeOf[page] = newPages.length
    if (reachedBy[page] > 0) newPages.push(page)
    else orphans++
  }
  const offsets = new Uint32Array(oldPages.length + 1)
  offsets.set(ends, 1)
  const targets = new Uint32Array(reached.length)
  for (let edge = 0; edge < targets.length; edge++) targets[edge] = placeOf[reached[edge]]
  return {
    oldPages: oldPages.slice(),
    newPages: Uint32Array.from(newPages),
    covers: { offsets, targets },
    orphans,
  }
}

/** The same graph with some of its new pages left out, and old pages that lead to no other. */
export function keepNewPages(graph: CoverGraph, isKept: (page: number) => boolean): CoverGraph {
  return mergeNewPages(graph, (page) => (isKept(page) ? page : undefined))
}

/**
 * The graph of old pages and groups of new pages, such as the new sites these are on. `groupOf` names
 * a group by a number, or says that the page is in none.
 *
 * @paper DasguptaEtAl2007 §4.4
 */
export function mergeNewPages(
  { oldPages, newPages, covers, orphans }: CoverGraph,
  groupOf: (page: number) => number | undefined,
): CoverGraph {
  const groups = Array.from(newPages, groupOf)
  const names = [...new Set(groups.filter((group) => group !== undefined))].sort((a, b) => a - b)
  const placeOf = new Map(names.map((name, place) => [name, place]))
  const rows: number[] = []
  const offsets = [0]
  const targets: number[] = []
  for (let row = 0; row < oldPages.length; row++) {
    const own = new Set<number>()
    for (let edge = covers.offsets[row]; edge < covers.offsets[row + 1]; edge++) {
      const group = groups[covers.targets[edge]]
      if (group !== undefined) own.add(placeOf.get(group)!)
    }
    if (own.size === 0) continue
    rows.push(oldPages[row])
    for (const place of [...own].sort((a, b) => a - b)) targets.push(place)
    offsets.push(targets.length)
  }
  return {
    oldPages: Uint32Array.from(rows),
    newPages: Uint32Array.from(names),
    covers: { offsets: Uint32Array.from(offsets), targets: Uint32Array.from(targets) },
    orphans,
  }
}
