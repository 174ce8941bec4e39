import { closeSync, existsSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { DamagedFileError } from '../damage.ts'
import { PAGES_FILE, type PageBounds, readManifest } from './manifest.ts'
import { unpackGroup } from './page-groups.ts'
import { type FoundGroup, readAt, scanPages } from './scan-pages.ts'
import { type IndexedAs, readEntry, type StoredPage } from './stored-page.ts'

/** Where the last entry of a URL lies. */
interface Place {
  readonly group: FoundGroup
  readonly slot: number
}

/**
 * What the file of the pages' words still tells of the index: it notes all that came into it and went. Damaged
 * groups are passed over.
 */
export class PageLog {
  readonly #file: number | undefined
  readonly #pages = new Map<number, Place>()
  /** What links called a page after it had come in. */
  readonly #anchors = new Map<number, Place | 'damaged'>()
  /** Pages whose last entry is damaged. */
  readonly damaged = new Set<number>()
  /** There are stretches that tell nothing, not even of whom. */
  hasGaps = false
  #lastGroup: { start: number; texts: readonly string[] } | undefined

  constructor(dir: string) {
    const path = join(dir, 'index', PAGES_FILE)
    this.#file = existsSync(path) ? openSync(path, 'r') : undefined
    if (this.#file === undefined) this.hasGaps = true
    else this.#read(this.#file, boundsOf(dir))
  }

  /** The pages that were in the index last, as far as their entries are whole, in the order they came. */
  urls(): number[] {
    const inOrder = [...this.#pages].sort(([, a], [, b]) => a.group.start - b.group.start)
    return inOrder.map(([url]) => url)
  }

  /** A page, and how it was indexed if that is known. */
  page(url: number): { readonly stored: StoredPage; readonly indexed?: IndexedAs } {
    const { stored, indexed } = readEntry(this.#text(this.#pages.get(url)!))!
    const renewed = this.#anchors.get(url)
    if (renewed === undefined || !indexed) return { stored, indexed }
    if (renewed === 'damaged') return { stored }
    return { stored, indexed: { ...indexed, anchors: JSON.parse(this.#text(renewed)) } }
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file)
  }

  #read(file: number, bounds: PageBounds | undefined): void {
    for (const found of scanPages(file, 0, bounds)) {
      if (found.kind === 'damage') this.hasGaps = true
      else this.#take(found)
    }
  }

  #take(group: FoundGroup): void {
    const { kind, numbers } = group.head
    const texts = this.#textsOf(group)
    const isWhole =
      texts && (kind !== 'pages' || texts.every((text) => readEntry(text) !== undefined))
    for (const [slot, url] of numbers.entries()) {
      if (kind === 'anchors') this.#anchors.set(url, isWhole ? { group, slot } : 'damaged')
      else {
        this.#anchors.delete(url)
        this.#pages.delete(url)
        this.damaged.delete(url)
        if (kind === 'pages' && isWhole) this.#pages.set(url, { group, slot })
        else if (kind === 'pages') this.damaged.add(url)
      }
    }
  }

  #text({ group, slot }: Place): string {
    if (this.#lastGroup?.start !== group.start)
      this.#lastGroup = { start: group.start, texts: this.#textsOf(group)! }
    return this.#lastGroup.texts[slot]
  }

  #textsOf({ start, head }: FoundGroup): string[] | undefined {
    return unpackGroup(head, readAt(this.#file!, start + head.headBytes, head.packedBytes))
  }
}

/** Undefined if the manifest that has them is damaged: then all groups count that are there. */
function boundsOf(dir: string): PageBounds | undefined {
  try {
    return readManifest(dir)?.pages
  } catch (error) {
    if (error instanceof DamagedFileError) return undefined
    throw error
  }
}
