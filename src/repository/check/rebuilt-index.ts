import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { pageLanguage } from '#parse/language/page-language.ts'
import { defaultAnalyser } from '#search/full-text/default-search.ts'
import { TextIndex } from '#search/full-text/text-index.ts'
import { DamagedFileError } from '../damage.ts'
import { syncToDisk } from '../durable-file.ts'
import { IndexStore } from '../text-index/index-store.ts'
import { MANIFEST_FILE, readManifest } from '../text-index/manifest.ts'
import { PageStore } from '../text-index/page-store.ts'
import type { IndexedAs, StoredPage } from '../text-index/stored-page.ts'

/** So many pages are written at once. */
const BATCH = 512

/** An index being made anew, beside the old one. If only pages' words are damaged, the postings stay as they are. */
export class RebuiltIndex {
  readonly keepsPostings: boolean
  readonly #dir: string
  readonly #store: IndexStore
  readonly #index: TextIndex
  readonly #pages: PageStore
  readonly #added = new Set<number>()
  #batch: [number, StoredPage, IndexedAs][] = []

  /** Postings that are whole may all the same be those of other pages than the tables know. */
  constructor(dir: string, mayKeepPostings: boolean) {
    const whole = mayKeepPostings ? wholePostings(dir) : undefined
    this.keepsPostings = whole !== undefined
    this.#dir = dir
    this.#store = whole?.store ?? new IndexStore(dir)
    this.#index = whole?.index ?? new TextIndex(defaultAnalyser)
    this.#pages = PageStore.openDraft(dir)
  }

  has(url: number): boolean {
    return this.#index.has(url)
  }

  /** Takes a page in. Its text is indexed, but not kept if it may not be shown. */
  add(url: number, page: StoredPage, indexed: IndexedAs): void {
    const { url: address, title, text, fetchedAt } = page
    // Pages that were kept before languages were told have none.
    const language = page.language ?? pageLanguage(text, undefined)
    if (!this.keepsPostings)
      this.#index.replace(url, { url: address, title, text, anchors: indexed.anchors, language })
    this.#added.add(url)
    const kept = { url: address, title, text: indexed.isHidden ? '' : text, fetchedAt, language }
    this.#batch.push([url, kept, indexed])
    if (this.#batch.length >= BATCH) this.#write()
  }

  /** Makes it the index that counts. A kill leaves one without a manifest, which is noticed and made anew. */
  putInPlace(): void {
    this.#write()
    for (const url of liveUrls(this.#index)) if (!this.#added.has(url)) this.#index.remove(url)
    while (this.#index.compact());
    const folder = join(this.#dir, 'index')
    rmSync(join(folder, MANIFEST_FILE), { force: true })
    syncToDisk(folder)
    this.#pages.putInPlace()
    this.#store.save(this.#index, this.#pages.bounds)
  }

  #write(): void {
    this.#pages.put(this.#batch)
    this.#batch = []
  }
}

function wholePostings(dir: string): { store: IndexStore; index: TextIndex } | undefined {
  try {
    if (!readManifest(dir)) return undefined
    const store = new IndexStore(dir)
    return { store, index: store.load(defaultAnalyser) }
  } catch (error) {
    if (error instanceof DamagedFileError) return undefined
    throw error
  }
}

function liveUrls({ segments }: TextIndex): number[] {
  return segments.flatMap(({ segment, alive }) =>
    Array.from(segment.urls).filter((_, place) => alive[place] === 1),
  )
}
