import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { IndexStore } from '#repository/text-index/index-store.ts'
import { PageStore } from '#repository/text-index/page-store.ts'
import { defaultAnalyser } from '#search/full-text/default-search.ts'

/** A page for a directory that can be searched. */
interface KitPage {
  readonly url: string
  readonly title: string
  readonly text: string
  readonly fetchedAt?: number
  readonly language?: string
}

/** A new directory with the index files of a crawl of these pages. */
export function searchableCrawl(pages: readonly KitPage[]): string {
  const dir = mkdtempSync(join(tmpdir(), 'forager-search-'))
  addToCrawl(dir, pages)
  return dir
}

/** Indexes more pages there, as a crawl that goes on would. */
export function addToCrawl(dir: string, pages: readonly KitPage[]): void {
  const store = new IndexStore(dir)
  const index = store.load(defaultAnalyser)
  const kept = PageStore.open(dir)
  const first = index.size
  for (const [i, { fetchedAt = 1_790_000_000, ...page }] of pages.entries()) {
    index.replace(first + i, { ...page, anchors: [] })
    kept.put([[first + i, { ...page, fetchedAt }, { anchors: [], isHidden: false }]])
  }
  store.save(index, kept.bounds)
  kept.close()
}
