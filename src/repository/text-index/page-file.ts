import { closeSync, existsSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { PAGES_FILE, type PageBounds } from './manifest.ts'
import { unpackGroup } from './page-groups.ts'
import { type FoundGroup, readAt, type ScannedGroup, scanPages } from './scan-pages.ts'
import { readEntry } from './stored-page.ts'

/** Where an entry lies. */
export interface EntryPlace {
  readonly group: FoundGroup
  readonly slot: number
}

/** The file of the pages' words, to be read from its beginning: whole groups, and texts out of them. */
export class PageFile {
  /** Undefined if there is none. */
  readonly #file: number | undefined
  #latest: { readonly start: number; readonly texts: readonly string[] | undefined } | undefined

  constructor(dir: string) {
    const path = join(dir, 'index', PAGES_FILE)
    this.#file = existsSync(path) ? openSync(path, 'r') : undefined
  }

  get exists(): boolean {
    return this.#file !== undefined
  }

  /** Its groups, within bounds if they are known. */
  *groups(bounds: PageBounds | undefined): Generator<ScannedGroup> {
    if (this.#file !== undefined) yield* scanPages(this.#file, 0, bounds)
  }

  /** The texts of a group's entries; undefined if it is damaged. */
  textsOf({ start, head }: FoundGroup): readonly string[] | undefined {
    if (this.#latest?.start !== start) {
      const packed = readAt(this.#file!, start + head.headBytes, head.packedBytes)
      const texts = unpackGroup(head, packed)
      const isWhole = head.kind !== 'pages' || texts?.every((text) => readEntry(text) !== undefined)
      this.#latest = { start, texts: isWhole ? texts : undefined }
    }
    return this.#latest.texts
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file)
  }
}
