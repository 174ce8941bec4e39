import { StringTable } from '#numeric/string-table.ts'
import { canonicalUrl, hostOf } from '#parse/url/canonical-url.ts'
import type { Archive } from './format/archive.ts'

// 0: not asked for yet.
const AS_RECORDED = 1
const INVALID = 2
const REWRITTEN = 3

/** The canonical URLs of an archive's pages and links, worked out once for all its snapshots. */
export class ArchiveAddresses {
  readonly #archive: Archive
  readonly #canonical = new StringTable()
  /** Pages of each canonical URL; mostly one, but a site may have recorded two spellings. */
  readonly #pages: (number | number[])[] = []
  readonly #linkStates: Uint8Array
  readonly #rewrittenLinks = new Map<number, string>()
  #pagesByHost: Map<string, number[]> | undefined

  constructor(archive: Archive) {
    this.#archive = archive
    this.#linkStates = new Uint8Array(archive.linkCount)
    for (let page = 0; page < archive.pageCount; page++) {
      const url = this.urlOf(page)
      if (url !== undefined) this.#addPage(url, page)
    }
  }

  /** The canonical URL of a page; undefined if no crawler would ask for it. */
  urlOf(page: number): string | undefined {
    return canonicalUrl(this.#archive.urlOf(page))
  }

  /** The pages known under a canonical URL, in the archive's order; none if it is unknown. */
  pagesOf(url: string): readonly number[] {
    const number = this.#canonical.find(url)
    if (number === undefined) return []
    const pages = this.#pages[number]
    return typeof pages === 'number' ? [pages] : pages
  }

  /** Where a link leads, in canonical form; undefined if that is no web address. */
  linkUrl(link: number): string | undefined {
    const state = this.#linkStates[link]
    if (state === AS_RECORDED) return this.#archive.linkUrl(link)
    if (state === INVALID) return undefined
    if (state === REWRITTEN) return this.#rewrittenLinks.get(link)
    const recorded = this.#archive.linkUrl(link)
    const url = canonicalUrl(recorded)
    this.#linkStates[link] = stateOf(url, recorded)
    if (url !== undefined && url !== recorded) this.#rewrittenLinks.set(link, url)
    return url
  }

  /** The pages of each host; hosts in the order of their first page. */
  pagesByHost(): ReadonlyMap<string, readonly number[]> {
    if (this.#pagesByHost) return this.#pagesByHost
    const hosts = new Map<string, number[]>()
    for (let page = 0; page < this.#archive.pageCount; page++) {
      const url = this.urlOf(page)
      if (url === undefined) continue
      const host = hostOf(url)
      const pages = hosts.get(host)
      if (pages) pages.push(page)
      else hosts.set(host, [page])
    }
    this.#pagesByHost = hosts
    return hosts
  }

  #addPage(url: string, page: number): void {
    const number = this.#canonical.add(url)
    const known = this.#pages[number]
    if (known === undefined) this.#pages[number] = page
    else if (typeof known === 'number') this.#pages[number] = [known, page]
    else known.push(page)
  }
}

function stateOf(url: string | undefined, recorded: string): number {
  if (url === undefined) return INVALID
  return url === recorded ? AS_RECORDED : REWRITTEN
}
