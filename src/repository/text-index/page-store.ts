import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  openSync,
  statSync,
  truncateSync,
  writeSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { GrowingColumn } from '#numeric/grow.ts'
import { DamagedFileError } from '../damage.ts'
import { putInPlace } from '../durable-file.ts'
import { makeFolder } from '../make-folder.ts'
import { PAGES_FILE, type PageBounds, readManifest } from './manifest.ts'
import {
  GROUP_ENTRIES,
  type GroupHead,
  type GroupKind,
  MOST_HEAD_BYTES,
  packGroup,
  readHead,
  readUnmarkedHead,
  unpackGroup,
} from './page-groups.ts'
import { readAt, scanPages } from './scan-pages.ts'
import { type IndexedAs, readEntry, type StoredPage, writeEntry } from './stored-page.ts'

/** A packed group that is larger is unpacked each time, not kept. */
const MOST_KEPT_BYTES = 1 << 20

/**
 * The words of the pages in the index, for titles and excerpts, and to make the index anew: an append-only file
 * of packed groups (`page-groups.ts`). The last entry of a URL counts. The manifest says how much of
 * the file does: what a kill left behind that is cut away by the next writer and overlooked by readers.
 */
export class PageStore {
  readonly #dir: string
  readonly #path: string
  readonly #file: number
  /** By URL: where its group begins, plus 1 (0 for none), and its place in the group. */
  readonly #starts = new GrowingColumn(Float64Array)
  readonly #slots = new GrowingColumn(Uint8Array)
  #end = 0
  #unmarkedBytes = 0
  #lastTexts: { readonly start: number; readonly texts: readonly string[] } | undefined

  private constructor(dir: string, path: string, file: number) {
    this.#dir = dir
    this.#path = path
    this.#file = file
  }

  /** For writing: makes the file if need be, and cuts off what a kill left. */
  static open(dir: string): PageStore {
    const path = pathIn(dir)
    makeFolder(dirname(path))
    const store = new PageStore(dir, path, openSync(path, 'a+'))
    store.refresh()
    truncateSync(path, store.#end)
    return store
  }

  /** For reading, also while a crawl writes. */
  static openToRead(dir: string): PageStore | undefined {
    const path = pathIn(dir)
    if (!existsSync(path)) {
      const lost = (readManifest(dir)?.pages?.bytes ?? 0) > 0
      if (lost) throw new DamagedFileError(path, 'it is missing', dir)
      return undefined
    }
    const store = new PageStore(dir, path, openSync(path, 'r'))
    try {
      store.refresh()
      return store
    } catch (error) {
      store.close()
      throw error
    }
  }

  /** For a new file beside the one that counts; `putInPlace` makes it that one. */
  static openDraft(dir: string): PageStore {
    const path = `${pathIn(dir)}.new`
    makeFolder(dirname(path))
    return new PageStore(dir, path, openSync(path, 'w+'))
  }

  /** Keeps pages by their URL numbers; on return they outlive a power cut. A few at a time are taken from the source. */
  put(pages: Iterable<readonly [number: number, page: StoredPage, indexed?: IndexedAs]>): void {
    this.#append('pages', pages, ([number, page, indexed]) => [number, writeEntry(page, indexed)])
  }

  /** Notes what links call pages by now. */
  renew(pages: readonly (readonly [number: number, anchors: readonly string[]])[]): void {
    this.#append('anchors', pages, ([number, anchors]) => [number, JSON.stringify(anchors)])
  }

  /** Notes pages that are not in the index any more. */
  remove(numbers: readonly number[]): void {
    this.#append('removed', numbers, (number) => [number])
  }

  /** All that was put so far. */
  get bounds(): PageBounds {
    return { bytes: this.#end, unmarkedBytes: this.#unmarkedBytes }
  }

  /** What is kept of a page; throws if that is damaged. */
  get(number: number): StoredPage | undefined {
    const start = this.#starts.get(number) - 1
    if (start < 0) return undefined
    const page = readEntry(this.#textsAt(start)[this.#slots.at(number)] ?? '')
    if (!page) throw this.#damaged(start)
    return page.stored
  }

  /** The texts of a group. The last one is kept: who goes through pages in their order finds the next one there. */
  #textsAt(start: number): readonly string[] {
    if (this.#lastTexts?.start === start) return this.#lastTexts.texts
    const isUnmarked = start < this.#unmarkedBytes
    const ahead = readAt(this.#file, start, Math.min(MOST_HEAD_BYTES, this.#end - start))
    const head = isUnmarked ? readUnmarkedHead(ahead) : readHead(ahead)
    const fits = head && start + head.headBytes + head.packedBytes <= this.#end
    const texts =
      fits && unpackGroup(head, readAt(this.#file, start + head.headBytes, head.packedBytes))
    if (!texts) throw this.#damaged(start)
    if (head.packedBytes <= MOST_KEPT_BYTES) this.#lastTexts = { start, texts }
    return texts
  }

  /** Takes notice of what was written since; throws if it is damaged. */
  refresh(): void {
    const bounds = readManifest(this.#dir)?.pages
    for (const found of scanPages(this.#file, this.#end, bounds)) {
      if (found.kind === 'damage' && bounds) throw this.#damaged(found.start)
      if (found.kind === 'damage') break // what a kill left
      this.#note(found.head)
    }
    if (bounds) this.#unmarkedBytes = bounds.unmarkedBytes
  }

  /** Whether another file has taken its place, as when it was repaired. */
  get isReplaced(): boolean {
    const now = statSync(this.#path, { throwIfNoEntry: false })
    return now?.ino !== fstatSync(this.#file).ino
  }

  close(): void {
    closeSync(this.#file)
  }

  /** Closes a draft, and makes it the file that counts. */
  putInPlace(): void {
    this.close()
    putInPlace(this.#path, pathIn(this.#dir))
  }

  /** Entries are written group by group, so that the texts of a few are in memory and not of all. */
  #append<T>(
    kind: GroupKind,
    all: Iterable<T>,
    entryOf: (each: T) => readonly [number: number, text?: string],
  ): void {
    const start = this.#end
    let some: (readonly [number: number, text?: string])[] = []
    for (const each of all) {
      some.push(entryOf(each))
      if (some.length < GROUP_ENTRIES) continue
      this.#appendGroup(kind, some)
      some = []
    }
    if (some.length > 0) this.#appendGroup(kind, some)
    if (this.#end > start) fsyncSync(this.#file)
  }

  #appendGroup(
    kind: GroupKind,
    entries: readonly (readonly [number: number, text?: string])[],
  ): void {
    const group = packGroup(
      kind,
      entries.map(([number]) => number),
      entries.flatMap(([, text]) => text ?? []),
    )
    let written = 0
    while (written < group.length) written += writeSync(this.#file, group, written)
    this.#note(readHead(group)!)
  }

  /** Notes the pages of the group that begins at the end of what is known. */
  #note({ kind, numbers, headBytes, packedBytes, crc }: GroupHead): void {
    if (kind === 'pages')
      for (const [slot, number] of numbers.entries()) {
        this.#starts.put(number, this.#end + 1)
        this.#slots.put(number, slot)
      }
    this.#end += headBytes + packedBytes
    if (crc === undefined) this.#unmarkedBytes = this.#end
  }

  #damaged(start: number): DamagedFileError {
    return new DamagedFileError(this.#path, `the group at byte ${start}`, this.#dir)
  }
}

function pathIn(dir: string): string {
  return join(dir, 'index', PAGES_FILE)
}
