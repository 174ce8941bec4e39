import { NumberedSeries } from './numbered-series.ts'
import { PagesBelow } from './pages-below.ts'

/** What addresses of the pages held say of where new links appear. */
export class AddressSigns {
  readonly #series = new NumberedSeries()
  readonly #below = new PagesBelow()

  add(page: number, url: string): void {
    this.#series.add(page, url)
    this.#below.add(page, url)
  }

  /** A page is gone. */
  remove(page: number, url: string): void {
    this.#series.remove(page)
    this.#below.remove(page, url)
  }

  /** Columns by place in some pages. */
  of(pages: Uint32Array): { readonly isLast: Uint8Array; readonly below: Uint32Array } {
    return {
      isLast: Uint8Array.from(pages, (page) => (this.#series.isLast(page) ? 1 : 0)),
      below: Uint32Array.from(pages, (page) => this.#below.of(page)),
    }
  }
}
