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

/** The address up to its last step. */
export function sectionOf(address: string): string {
  const mark = address.search(/[?#]/)
  const end = mark < 0 ? address.length : mark
  const last = address[end - 1] === '/' ? end - 2 : end - 1
  return address.slice(0, address.lastIndexOf('/', last) + 1)
}
