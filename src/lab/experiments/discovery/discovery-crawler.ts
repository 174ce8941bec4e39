import { rowOf } from '#numeric/csr.ts'
import type { DiscoverySite } from './discovery-site.ts'

export const NEVER = -1

/** What a revisit brought, before the crawler forgets how things were. */
export interface SeenByRevisit {
  readonly page: number
  /** New pages that this fetch was the first to lead to, by way of new ones too. */
  readonly novel: number
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
  /** By page: the old page that led to it. */
  readonly #foundBy: Int32Array
  readonly #onFound: (page: number, by: number) => void

  constructor(site: DiscoverySite, onFound: (page: number, by: number) => void = () => {}) {
    this.site = site
    this.foundAt = new Int32Array(site.pages).fill(NEVER)
    this.lastVisit = new Int32Array(site.pages).fill(NEVER)
    this.isGone = new Uint8Array(site.pages)
    this.#foundBy = new Int32Array(site.pages).fill(NEVER)
    this.#onFound = onFound
    for (const [page, version] of site.versionsAt[0].entries())
      if (version >= 0) this.foundAt[page] = this.lastVisit[page] = 0
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
    const version = this.site.versionsAt[snapshot][page]
    if (version < 0) {
      this.isGone[page] = 1
      return undefined
    }
    const foundBefore = new Map<number, number>()
    const found: number[] = []
    const follow = (from: number) => {
      for (const target of rowOf(this.site.links, from)) {
        if (this.foundAt[target] !== NEVER || this.site.versionsAt[snapshot][target] < 0) continue
        this.foundAt[target] = this.lastVisit[target] = snapshot
        this.#foundBy[target] = page
        found.push(target)
        this.#onFound(target, page)
      }
    }
    for (const target of rowOf(this.site.links, version)) {
      const finder = this.#foundBy[target]
      if (this.foundAt[target] > this.lastVisit[page] && finder !== page)
        foundBefore.set(finder, (foundBefore.get(finder) ?? 0) + 1)
    }
    follow(version)
    for (const next of found) follow(this.site.versionsAt[snapshot][next])
    this.lastVisit[page] = snapshot
    return { page, novel: found.length, foundBefore }
  }
}
