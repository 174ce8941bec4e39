import type { UrlTable } from './url-table.ts'

/** By host: whether its URLs are crawled here. */
const [UNKNOWN, OWN, FOREIGN] = [0, 1, 2]

/**
 * URLs of domains that are crawled elsewhere, where a crawl is divided into buckets. They are known as ends of links,
 * and never fetched from here.
 */
export class ForeignUrls {
  readonly #urls: UrlTable
  #isOwn: ((domain: string) => boolean) | undefined
  #ofHost = new Uint8Array(0)
  /** By URL: when its page was fetched that these links are of. */
  readonly #toldAt = new Map<number, number>()

  constructor(urls: UrlTable) {
    this.#urls = urls
  }

  /** From now on only these domains are crawled here. */
  keepTo(isOwn: (domain: string) => boolean): void {
    this.#isOwn = isOwn
    this.#ofHost = new Uint8Array(0)
  }

  /** Whether some domains are crawled elsewhere, or might be. */
  get areThere(): boolean {
    return this.#isOwn !== undefined
  }

  /** Pages of one group may be duplicates of each other. As no bucket sees pages of all domains, none compares those of two. */
  groupOf(url: number): number {
    return this.areThere ? this.#urls.domains()[url] + 1 : 0
  }

  has(url: number): boolean {
    if (this.#isOwn === undefined) return false
    return this.#kindOf(this.#urls.hostNumberOf(url), this.#isOwn) === FOREIGN
  }

  /** Whether links of a foreign page are later news than those it is known by; then they are these. */
  takesNews(url: number, at: number): boolean {
    if ((this.#toldAt.get(url) ?? Number.NEGATIVE_INFINITY) >= at) return false
    this.#toldAt.set(url, at)
    return true
  }

  #kindOf(host: number, isOwn: (domain: string) => boolean): number {
    if (host >= this.#ofHost.length) {
      const longer = new Uint8Array(Math.max(2 * this.#ofHost.length, this.#urls.hostCount))
      longer.set(this.#ofHost)
      this.#ofHost = longer
    }
    if (this.#ofHost[host] === UNKNOWN)
      this.#ofHost[host] = isOwn(this.#urls.domainName(host)) ? OWN : FOREIGN
    return this.#ofHost[host]
  }
}
