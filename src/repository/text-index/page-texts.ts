import { closeSync, existsSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { PAGES_FILE, readManifest } from './manifest.ts'
import { unpackGroup } from './page-groups.ts'
import { type FoundGroup, readAt, scanPages } from './scan-pages.ts'
import { readEntry } from './stored-page.ts'

/** Where one version of a page lies. */
interface Place {
  readonly group: FoundGroup
  readonly slot: number
}

/**
 * The texts of all versions of pages that ever came into the index, by page and time. The file of the pages'
 * words keeps them all, until it is made anew.
 */
export class PageTexts {
  readonly #file: number | undefined
  /** By URL: its versions, oldest first. */
  readonly #versions = new Map<number, Place[]>()
  #lastGroup: { readonly start: number; readonly entries: readonly string[] } | undefined

  constructor(dir: string) {
    const path = join(dir, 'index', PAGES_FILE)
    this.#file = existsSync(path) ? openSync(path, 'r') : undefined
    if (this.#file === undefined) return
    for (const group of scanPages(this.#file, 0, readManifest(dir)?.pages)) {
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
      const entry = readEntry(this.#entriesOf(group)[slot] ?? '')
      if (entry?.stored.fetchedAt !== fetchedAt) continue
      return entry.indexed?.isHidden ? undefined : entry.stored.text
    }
    return undefined
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file)
  }

  #entriesOf({ start, head }: FoundGroup): readonly string[] {
    if (this.#lastGroup?.start !== start) {
      const packed = readAt(this.#file!, start + head.headBytes, head.packedBytes)
      this.#lastGroup = { start, entries: unpackGroup(head, packed) ?? [] }
    }
    return this.#lastGroup.entries
  }
}
