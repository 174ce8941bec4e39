import { DamagedFileError } from '../damage.ts'
import { type PageBounds, readManifest } from './manifest.ts'
import { type EntryPlace, PageFile } from './page-file.ts'
import type { FoundGroup } from './scan-pages.ts'
import { type IndexedAs, readEntry, type StoredPage } from './stored-page.ts'

/**
 * What the file of the pages' words still tells of the index: it notes all that came into it and went. Damaged
 * groups are passed over.
 */
export class PageLog {
  readonly #file: PageFile
  readonly #pages = new Map<number, EntryPlace>()
  /** What links called a page after it had come in. */
  readonly #anchors = new Map<number, EntryPlace | 'damaged'>()
  /** Pages whose last entry is damaged. */
  readonly damaged = new Set<number>()
  /** There are stretches that tell nothing, not even of whom. */
  hasGaps: boolean

  constructor(dir: string) {
    this.#file = new PageFile(dir)
    this.hasGaps = !this.#file.exists
    for (const found of this.#file.groups(boundsOf(dir)))
      if (found.kind === 'damage') this.hasGaps = true
      else this.#take(found)
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
    this.#file.close()
  }

  #take(group: FoundGroup): void {
    const { kind, numbers } = group.head
    const isWhole = this.#file.textsOf(group) !== undefined
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

  #text({ group, slot }: EntryPlace): string {
    return this.#file.textsOf(group)![slot]
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
