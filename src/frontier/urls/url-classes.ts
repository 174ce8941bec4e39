import { GrowingColumn } from '#numeric/grow.ts'
import { hash32 } from '#numeric/hash.ts'
import { urlClass } from '#parse/url/url-class.ts'
import type { UrlTable } from './url-table.ts'

/**
 * Numbers for the classes of URLs, from 0 in the order they appear: pages of one folder and kind are expected
 * to be alike. Worked out when somebody first asks, as not every policy does.
 */
export class UrlClasses {
  readonly #urls: UrlTable
  readonly #ofUrl = new GrowingColumn(Uint32Array)
  readonly #numbers = new Map<number, number>()

  constructor(urls: UrlTable) {
    this.#urls = urls
  }

  of(url: number): number {
    while (this.#ofUrl.length <= url) this.#ofUrl.push(this.#numberOf(this.#ofUrl.length))
    return this.#ofUrl.view()[url]
  }

  /** The classes of all URLs, by their numbers; without a copy. */
  all(): Uint32Array {
    if (this.#urls.size > 0) this.of(this.#urls.size - 1)
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
