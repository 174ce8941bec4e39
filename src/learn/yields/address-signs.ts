import type { HubSigns } from './hub-signs.ts'
import { NumberedSeries } from './numbered-series.ts'
import { PagesBelow } from './pages-below.ts'

/** What addresses of the pages held say of where new links appear, and which are sitemaps or feeds. */
export class AddressSigns {
  readonly #series = new NumberedSeries()
  readonly #below = new PagesBelow()
  readonly #lists = new Set<number>()

  add(page: number, url: string, form: 'page' | 'sitemap' | 'feed' = 'page'): void {
    // A sitemap stays one, also when a later answer does not say what it is.
    if (form !== 'page') this.#lists.add(page)
    this.#series.add(page, url)
    this.#below.add(page, url)
  }

  /** A page is gone. */
  remove(page: number, url: string): void {
    this.#series.remove(page)
    this.#below.remove(page, url)
  }

  /** Columns by place in some pages. */
  of(pages: Uint32Array): Pick<HubSigns, 'isLast' | 'below' | 'isList'> {
    return {
      isLast: Uint8Array.from(pages, (page) => (this.#series.isLast(page) ? 1 : 0)),
      below: Uint32Array.from(pages, (page) => this.#below.of(page)),
      isList: Uint8Array.from(pages, (page) => (this.#lists.has(page) ? 1 : 0)),
    }
  }
}
