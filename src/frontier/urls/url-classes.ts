import { GrowingColumn } from '#numeric/grow.ts'
import { hash32 } from '#numeric/hash.ts'
import { urlClass } from '#parse/url/url-class.ts'
import type { UrlTable } from './url-table.ts'

/** Of a URL that nobody asked about. */
const UNASKED = 0xffff_ffff

/**
 * Numbers for the classes of URLs, from 0 in the order in which they are asked for: pages of one folder and kind are expected
 * to be alike. Nobody may go by the order of the numbers: whoever takes a crawl up asks in another one.
 */
export class UrlClasses {
  readonly #urls: UrlTable
  readonly #ofUrl = new GrowingColumn(Uint32Array)
  readonly #numbers = new Map<number, number>()
  /** URLs from the first on that have their numbers. */
  #complete = 0

  constructor(urls: UrlTable) {
    this.#urls = urls
  }

  of(url: number): number {
    this.#ofUrl.lengthen(this.#urls.size, UNASKED)
    const classes = this.#ofUrl.view()
    if (classes[url] === UNASKED) classes[url] = this.#numberOf(url)
    return classes[url]
  }

  /** The classes of all URLs, by their numbers; without a copy. */
  all(): Uint32Array {
    while (this.#complete < this.#urls.size) this.of(this.#complete++)
    return this.#ofUrl.view()
  }

  #numberOf(url: number): number {
    const hash = hash32(urlClass(this.#urls.urlOf(url))) | 0 // small integers are found faster
    const known = this.#numbers.get(hash)
    if (known !== undefined) return known
    this.#numbers.set(hash, this.#numbers.size)
    return this.#numbers.size - 1
  }
}
