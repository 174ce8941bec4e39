import type { UrlTable } from '#frontier/urls/url-table.ts'
import { GrowingColumn } from '#numeric/grow.ts'
import { StringTable } from '#numeric/string-table.ts'

/** What the addresses of URLs look like, in columns by URL that grow with the crawl. */
export class AddressShapes {
  readonly #urls: UrlTable
  readonly #sectionNames = new StringTable()
  readonly #sections = new GrowingColumn(Uint32Array)
  readonly #lengths = new GrowingColumn(Uint16Array)

  constructor(urls: UrlTable) {
    this.#urls = urls
  }

  /** The folder that each URL lies in: pages of one folder are often of one kind. */
  sections(): Uint32Array {
    this.#grow()
    return this.#sections.view()
  }

  /** Characters of each address. */
  lengths(): Uint16Array {
    this.#grow()
    return this.#lengths.view()
  }

  #grow(): void {
    for (let url = this.#sections.length; url < this.#urls.size; url++) {
      const address = this.#urls.urlOf(url)
      this.#sections.push(this.#sectionNames.add(sectionOf(address)))
      this.#lengths.push(Math.min(address.length, 0xffff))
    }
  }
}

/**
 * The same where a crawl is in buckets. Home pages of hosts are in no folder together there, as nobody knows all of them;
 * and depths are steps of addresses: which page led to another first depends on who heard of it first.
 */
export function shapesInBucket(urls: UrlTable): {
  readonly sections: Uint32Array
  readonly addressLengths: Uint16Array
  readonly depths: Uint16Array
} {
  const names = new StringTable()
  const sections = new Uint32Array(urls.size)
  const addressLengths = new Uint16Array(urls.size)
  const depths = new Uint16Array(urls.size)
  for (let url = 0; url < urls.size; url++) {
    const address = urls.urlOf(url)
    const section = sectionOf(address)
    sections[url] = names.add(section.endsWith('://') ? address : section)
    addressLengths[url] = Math.min(address.length, 0xffff)
    depths[url] = Math.max(0, section.split('/').length - SLASHES_BEFORE_STEPS)
  }
  return { sections, addressLengths, depths }
}

/** Parts of `http://a.org/` that are no steps. */
const SLASHES_BEFORE_STEPS = 4

/** The address up to its last step. */
export function sectionOf(address: string): string {
  const mark = address.search(/[?#]/)
  const end = mark < 0 ? address.length : mark
  const last = address[end - 1] === '/' ? end - 2 : end - 1
  return address.slice(0, address.lastIndexOf('/', last) + 1)
}
