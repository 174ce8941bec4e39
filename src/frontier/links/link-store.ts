import type { Csr } from '#numeric/csr.ts'
import { GrowingColumn } from '#numeric/grow.ts'
import { StringTable } from '#numeric/string-table.ts'
import { REL_UNVOTED } from '#parse/page/page.ts'

/** What a page calls others counts for so many of its links, the first: whoever names thousands tells little of each. */
export const SPOKEN_LINKS = 1000

/** The links of one page, as numbers; the arrays are of one length. */
export interface LinkRow {
  readonly targets: Uint32Array
  readonly anchors: Uint32Array
  readonly rels: Uint8Array
}

const NO_LINKS: LinkRow = {
  targets: new Uint32Array(0),
  anchors: new Uint32Array(0),
  rels: new Uint8Array(0),
}

/** How many texts tell what a URL is called. */
interface AnchorLimits {
  readonly each: number
  /** Of these from each other site, so that none drowns out the rest. */
  readonly eachSite: number
  /** By URL: its site. */
  readonly siteOf: Uint32Array
  /** By URL: links of pages of lower keys are heard first, in place of those of lower numbers. */
  readonly keys?: Uint32Array
}

/** How much each site has told of each URL of others. */
class SiteShares {
  readonly #most: number
  readonly #told = new Map<number, Map<number, number>>()

  constructor(most: number) {
    this.#most = most
  }

  /** Whether a site may tell one thing more of a URL; then it has. */
  take(url: number, site: number): boolean {
    const bySite = this.#told.get(url) ?? new Map<number, number>()
    this.#told.set(url, bySite)
    const told = bySite.get(site) ?? 0
    bySite.set(site, told + 1)
    return told < this.#most
  }
}

/**
 * The current out-links of every fetched page, with anchor texts. A page's links are one run of the
 * columns; replacing them appends a new run and leaves the old one as waste until compaction.
 */
export class LinkStore {
  readonly anchors = new StringTable()
  #targets = new GrowingColumn(Uint32Array)
  #anchorOf = new GrowingColumn(Uint32Array)
  #rels = new GrowingColumn(Uint8Array)
  readonly #starts = new GrowingColumn(Uint32Array)
  readonly #counts = new GrowingColumn(Uint32Array)
  /** Pages whose links were replaced, one after the other. */
  readonly #replaced = new GrowingColumn(Uint32Array)
  #waste = 0
  #extended = -1

  /** Links held now, without the waste. */
  get size(): number {
    return this.#targets.length - this.#waste
  }

  rowOf(url: number): LinkRow {
    const start = this.#starts.get(url)
    const end = start + this.#counts.get(url)
    return {
      targets: this.#targets.view().subarray(start, end),
      anchors: this.#anchorOf.view().subarray(start, end),
      rels: this.#rels.view().subarray(start, end),
    }
  }

  /** The targets of a page's links, without a copy; they stay as they are when the links are replaced. */
  targetsOf(url: number): Uint32Array {
    const start = this.#starts.get(url)
    return this.#targets.view().subarray(start, start + this.#counts.get(url))
  }

  /** Whether a page links to a target. */
  has(url: number, target: number): boolean {
    if (url >= this.#starts.length) return false
    const targets = this.#targets.view()
    const start = this.#starts.view()[url]
    const end = start + this.#counts.view()[url]
    for (let link = start; link < end; link++) if (targets[link] === target) return true
    return false
  }

  /** How often links were replaced so far. */
  get changes(): number {
    return this.#replaced.length
  }

  /** The pages whose links were replaced after the first so many changes. */
  changedAfter(changes: number): Uint32Array {
    return this.#replaced.view().subarray(changes)
  }

  replace(url: number, row: LinkRow): void {
    this.#replaced.push(url)
    this.#extended = -1
    this.#waste += this.#counts.get(url)
    this.#starts.put(url, this.#targets.length)
    this.#counts.put(url, row.targets.length)
    this.#targets.append(row.targets)
    this.#anchorOf.append(row.anchors)
    this.#rels.append(row.rels)
    if (this.#waste > 100_000 && this.#waste > this.size) this.#compact()
  }

  /** Adds to the links of a page: the one added to before, or one that has none yet. */
  extend(
    url: number,
    targets: ArrayLike<number>,
    anchors: ArrayLike<number>,
    rels: ArrayLike<number>,
  ): void {
    if (url !== this.#extended) this.replace(url, NO_LINKS)
    this.#extended = url
    this.#counts.add(url, targets.length)
    this.#targets.append(targets)
    this.#anchorOf.append(anchors)
    this.#rels.append(rels)
  }

  /** Makes room for so many links in all, so that reading them back copies nothing. */
  reserve(links: number): void {
    this.#targets.reserve(links)
    this.#anchorOf.reserve(links)
    this.#rels.reserve(links)
  }

  /** Distinct out-links that are votes, without self-links; a row for each of `urlCount` URLs. */
  toCsr(urlCount: number): Csr {
    const targets = this.#targets.view()
    const rels = this.#rels.view()
    const offsets = new Uint32Array(urlCount + 1)
    const kept = new Uint32Array(this.size)
    const lastRow = new Uint32Array(urlCount) // row + 1 that last held this target
    let edges = 0
    for (let url = 0; url < urlCount; url++) {
      const start = this.#starts.get(url)
      const end = start + this.#counts.get(url)
      for (let link = start; link < end; link++) {
        const target = targets[link]
        if ((rels[link] & REL_UNVOTED) !== 0) continue
        if (target === url || lastRow[target] === url + 1) continue
        lastRow[target] = url + 1
        kept[edges++] = target
      }
      offsets[url + 1] = edges
    }
    return { offsets, targets: kept.subarray(0, edges) }
  }

  /**
   * What links call each of these URLs: distinct anchor texts of voting links, up to a limit each, and to one for
   * each other site. One pass over all links, so ask for many at once.
   */
  anchorsTo(
    urls: readonly number[],
    { each, eachSite, siteOf, keys }: AnchorLimits,
  ): Map<number, number[]> {
    const found = new Map<number, number[]>()
    for (const url of urls) found.set(url, [])
    const told = new SiteShares(eachSite)
    const isWanted = new Uint8Array(urls.reduce((last, url) => Math.max(last, url), -1) + 1)
    for (const url of urls) isWanted[url] = 1
    const targets = this.#targets.view()
    const [anchorOf, rels] = [this.#anchorOf.view(), this.#rels.view()]
    const [starts, counts] = [this.#starts.view(), this.#counts.view()]
    for (const source of keys ? this.#linkersOf(isWanted, keys) : starts.keys()) {
      const end = starts[source] + Math.min(counts[source], SPOKEN_LINKS)
      for (let link = starts[source]; link < end; link++) {
        if (isWanted[targets[link]] !== 1) continue // also for those beyond the last
        if (targets[link] === source || (rels[link] & REL_UNVOTED) !== 0) continue
        const anchors = found.get(targets[link])!
        if (anchors.length >= each || anchors.includes(anchorOf[link])) continue
        const site = siteOf[source]
        if (site === siteOf[targets[link]] || told.take(targets[link], site))
          anchors.push(anchorOf[link])
      }
    }
    return found
  }

  /** The pages that link to any of these, by their keys. */
  #linkersOf(isWanted: Uint8Array, keys: Uint32Array): Uint32Array {
    const sources = Uint32Array.from(this.#starts.view().keys())
    const targetsOf = (source: number) => this.rowOf(source).targets
    return sources
      .filter((source) => targetsOf(source).some((target) => isWanted[target] === 1))
      .sort((a, b) => keys[a] - keys[b] || a - b)
  }

  #compact(): void {
    const targets = new GrowingColumn(Uint32Array, this.size)
    const anchors = new GrowingColumn(Uint32Array, this.size)
    const rels = new GrowingColumn(Uint8Array, this.size)
    for (let url = 0; url < this.#starts.length; url++) {
      const row = this.rowOf(url)
      this.#starts.set(url, targets.length)
      targets.append(row.targets)
      anchors.append(row.anchors)
      rels.append(row.rels)
    }
    this.#targets = targets
    this.#anchorOf = anchors
    this.#rels = rels
    this.#waste = 0
  }
}
