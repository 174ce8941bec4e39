import { readManifest } from './manifest.ts'
import { type EntryPlace, PageFile } from './page-file.ts'
import { readEntry } from './stored-page.ts'

/**
 * The texts of all versions of pages that ever came into the index, by page and time. The file of the pages'
 * words keeps them all, until it is made anew.
 */
export class PageTexts {
  readonly #file: PageFile
  /** By URL: its versions, oldest first. */
  readonly #versions = new Map<number, EntryPlace[]>()

  constructor(dir: string) {
    this.#file = new PageFile(dir)
    if (!this.#file.exists) return
    for (const group of this.#file.groups(readManifest(dir)?.pages)) {
      if (group.kind === 'damage' || group.head.kind !== 'pages') continue
      for (const [slot, url] of group.head.numbers.entries()) {
        const versions = this.#versions.get(url)
        if (versions) versions.push({ group, slot })
        else this.#versions.set(url, [{ group, slot }])
      }
    }
  }

  /** The text that a page had when it was fetched then; undefined if it was not indexed, or may not be kept. */
  textOf(url: number, fetchedAt: number): string | undefined {
    for (const { group, slot } of this.#versions.get(url) ?? []) {
      const entry = readEntry(this.#file.textsOf(group)?.[slot] ?? '')
      if (entry?.stored.fetchedAt !== fetchedAt) continue
      return entry.indexed?.isHidden ? undefined : entry.stored.text
    }
    return undefined
  }

  close(): void {
    this.#file.close()
  }
}
