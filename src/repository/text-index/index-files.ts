import type { PageOutcome } from '#crawl/outcome.ts'
import type { Analyser } from '#search/analysis.ts'
import type { TextIndex } from '#search/text-index.ts'
import { IndexStore } from './index-store.ts'
import { PageStore } from './page-store.ts'

/** A crawl's index on disk: postings, and the words of the pages for excerpts. */
export class IndexFiles {
  readonly index: TextIndex
  readonly #postings: IndexStore
  readonly #pages: PageStore

  constructor(dir: string, analyser: Analyser) {
    this.#postings = new IndexStore(dir)
    this.index = this.#postings.load(analyser)
    this.#pages = PageStore.open(dir)
  }

  /** Saves the index as it is now, and the words of the pages that came in, if they may be shown. */
  keep(pages: readonly PageOutcome[]): void {
    this.#pages.put(
      pages.map(({ id, url, at, page }) => {
        const text = page.nosnippet || page.noarchive ? '' : page.text
        return [id, { url, title: page.title, text, fetchedAt: at }]
      }),
    )
    this.#postings.save(this.index, this.#pages.bytes)
  }

  close(): void {
    this.#pages.close()
  }
}
