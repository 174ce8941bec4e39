import type { IndexChanges } from '#learn/text-index/index-pages.ts'
import { mainText } from '#parse/page/main-text.ts'
import type { TextIndex } from '#search/full-text/text-index.ts'
import type { Analyser } from '#search/text/analysis.ts'
import { IndexStore } from './index-store.ts'
import { readManifest } from './manifest.ts'
import { PageStore } from './page-store.ts'
import type { IndexedAs, StoredPage } from './stored-page.ts'

/** A crawl's index on disk: postings, and the words of the pages for excerpts. */
export class IndexFiles {
  readonly index: TextIndex
  readonly #postings: IndexStore
  readonly #pages: PageStore

  constructor(dir: string, analyser: Analyser) {
    this.#postings = new IndexStore(dir)
    this.index = this.#postings.load(analyser)
    this.#pages = PageStore.open(dir)
    // From the first page on, a folder without a manifest is one that lost it.
    if (!readManifest(dir)) this.#postings.save(this.index, this.#pages.bounds)
  }

  /** Saves the index as it is now, and what changed in it; words of pages only if they may be shown. */
  keep({ removed, taken, renewed }: IndexChanges = NO_CHANGES): void {
    this.#pages.remove(removed)
    this.#pages.put(shownPages(taken))
    this.#pages.renew(renewed)
    this.#postings.save(this.index, this.#pages.bounds)
  }

  close(): void {
    this.#pages.close()
  }
}

/** One after the other: texts without what is aside are copies, and those of all would take as much as the cycle. */
function* shownPages(
  taken: IndexChanges['taken'],
): Generator<readonly [number: number, page: StoredPage, indexed: IndexedAs]> {
  for (const { outcome, anchors } of taken) {
    const { id, url, at, page } = outcome
    const isHidden = page.nosnippet === true || page.noarchive === true
    const text = isHidden ? '' : mainText(page)
    const { title, language } = page
    yield [id, { url, title, text, fetchedAt: at, language }, { anchors, isHidden }]
  }
}

const NO_CHANGES: IndexChanges = { removed: [], taken: [], renewed: [] }
