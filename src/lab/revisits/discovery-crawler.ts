import { rowOf } from '#numeric/csr.ts'
import { crawlTreeAt } from './crawl-tree.ts'
import type { DiscoverySite } from './discovery-site.ts'

export const NEVER = -1

/** What a revisit brought, before the crawler forgets how things were. */
export interface SeenByRevisit {
  readonly page: number
  /** New pages that this fetch was the first to lead to, by way of new ones too. */
  readonly found: readonly number[]
  /** New pages others led to since its last visit, for each of these others. */
  readonly foundBefore: ReadonlyMap<number, number>
}

/**
 * A crawler that has fetched everything of the first snapshot, and since then knows only what its
 * revisits show. New pages are fetched at once and at no charge: they have to be fetched anyway. A shortcut: the real
 * crawl finds the same pages by the same fetches. By redirects, which the paper's graph has not, it may find more.
 */
export class DiscoveryCrawler {
  readonly site: DiscoverySite
  /** By page: the snapshot it was found at, or NEVER. */
  readonly foundAt: Int32Array
  readonly lastVisit: Int32Array
  readonly isGone: Uint8Array
  /** By page: links from the nearest seed, by the way it was found; as many as pages if no path leads there. */
  readonly depths: Uint32Array
  /** By page: how many held copies link to it. */
  readonly inLinks: Uint32Array
  /** By page: how many pages it was the first to lead to, by a link of its own. */
  readonly children: Uint32Array
  /** By page: the version held, or NEVER. */
  readonly #held: Int32Array
  /** By page: the old page that led to it. */
  readonly #foundBy: Int32Array

  constructor(site: DiscoverySite) {
    const { pages } = site
    this.site = site
    this.foundAt = new Int32Array(pages).fill(NEVER)
    this.lastVisit = new Int32Array(pages).fill(NEVER)
    this.isGone = new Uint8Array(pages)
    const { depths, children } = crawlTreeAt(site, 0)
    this.depths = depths
    this.children = children
    this.inLinks = new Uint32Array(pages)
    this.#held = new Int32Array(pages).fill(NEVER)
    this.#foundBy = new Int32Array(pages).fill(NEVER)
    for (const [page, version] of site.versionsAt[0].entries()) {
      if (version < 0) continue
      this.foundAt[page] = this.lastVisit[page] = 0
      this.#hold(page, version)
    }
  }

  /** Pages that may be revisited, ascending. */
  known(): Uint32Array {
    const known = new Uint32Array(this.site.pages)
    let count = 0
    for (let page = 0; page < known.length; page++)
      if (this.foundAt[page] !== NEVER && !this.isGone[page]) known[count++] = page
    return known.slice(0, count)
  }

  /** Fetches a page again at a snapshot; undefined if it is gone. */
  revisit(page: number, snapshot: number): SeenByRevisit | undefined {
    const { site, foundAt, lastVisit } = this
    const live = site.versionsAt[snapshot]
    const version = live[page]
    this.#hold(page, version)
    if (version < 0) {
      this.isGone[page] = 1
      return undefined
    }
    const foundBefore = new Map<number, number>()
    for (const target of rowOf(site.links, version)) {
      const finder = this.#foundBy[target]
      if (foundAt[target] > lastVisit[page] && finder !== page)
        foundBefore.set(finder, (foundBefore.get(finder) ?? 0) + 1)
    }
    const found: number[] = []
    const follow = (from: number) => {
      for (const target of rowOf(site.links, live[from])) {
        if (foundAt[target] !== NEVER || live[target] < 0) continue
        foundAt[target] = lastVisit[target] = snapshot
        this.#foundBy[target] = page
        this.depths[target] = this.depths[page] + 1
        this.children[from]++
        found.push(target)
      }
    }
    follow(page)
    for (const next of found) {
      this.#hold(next, live[next])
      follow(next)
    }
    lastVisit[page] = snapshot
    return { page, found, foundBefore }
  }

  /** Holds another version of a page, or none; its links count in place of those before. */
  #hold(page: number, version: number): void {
    const { links } = this.site
    const before = this.#held[page]
    if (before >= 0) for (const target of rowOf(links, before)) this.inLinks[target]--
    if (version >= 0) for (const target of rowOf(links, version)) this.inLinks[target]++
    this.#held[page] = version
  }
}
