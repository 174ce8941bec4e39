import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readSync,
  truncateSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { GrowingColumn } from '#numeric/grow.ts'

/** What a result list shows of a page. */
export interface StoredPage {
  readonly url: string
  readonly title: string
  readonly text: string
  /** Seconds since 1970. */
  readonly fetchedAt: number
}

/** Its name in the folder of the index. */
export const PAGES_FILE = 'pages.bin'
/** Pages are packed in groups: setting the packer up costs as much as packing a page. */
const GROUP_PAGES = 8
/** Parts pages in a group; no text has it. */
const END = '\0'
const FAST = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }
/** Headers are read in bites while a file is scanned. */
const BITE_BYTES = 1 << 20
const HEADER_WORDS = 2 + GROUP_PAGES
const HEADER_BYTES = 4 * HEADER_WORDS

/**
 * The words of the pages in the index, for titles and excerpts: an append-only file of packed groups,
 * each headed by its length, its number of pages and their URL numbers. The last record of a URL counts. A
 * group cut off by a kill is cut away by the next writer and overlooked by readers.
 */
export class PageStore {
  readonly #path: string
  readonly #file: number
  /** By URL: where its group begins, plus 1 (0 for none), and its place in the group. */
  readonly #starts = new GrowingColumn(Float64Array)
  readonly #slots = new GrowingColumn(Uint8Array)
  #end = 0

  private constructor(path: string, file: number) {
    this.#path = path
    this.#file = file
    this.refresh()
  }

  /** For writing: makes the file if need be, and cuts off what a kill left. */
  static open(dir: string): PageStore {
    const path = pathIn(dir)
    const store = new PageStore(path, openSync(path, 'a+'))
    truncateSync(path, store.#end)
    return store
  }

  /** For reading, also while a crawl writes. */
  static openToRead(dir: string): PageStore | undefined {
    const path = pathIn(dir)
    return existsSync(path) ? new PageStore(path, openSync(path, 'r')) : undefined
  }

  /** Keeps pages by their URL numbers; on return they outlive a power cut. */
  put(pages: readonly (readonly [number: number, page: StoredPage])[]): void {
    for (let first = 0; first < pages.length; first += GROUP_PAGES)
      this.#putGroup(pages.slice(first, first + GROUP_PAGES))
    if (pages.length > 0) fsyncSync(this.#file)
  }

  /** All that was put so far. */
  get bytes(): number {
    return this.#end
  }

  get(number: number): StoredPage | undefined {
    const start = number < this.#starts.length ? this.#starts.at(number) - 1 : -1
    if (start < 0) return undefined
    const header = this.#read(start, HEADER_BYTES)
    const packed = this.#read(start + HEADER_BYTES, header.readUInt32LE(0))
    const page = zstdDecompressSync(packed).toString('utf8').split(END)[this.#slots.at(number)]
    const lineEnd = page.indexOf('\n')
    const [url, fetchedAt, title] = JSON.parse(page.slice(0, lineEnd))
    return { url, title, text: page.slice(lineEnd + 1), fetchedAt }
  }

  /** Takes notice of what was written since. */
  refresh(): void {
    const size = fstatSync(this.#file).size
    let bite: Buffer = Buffer.alloc(0)
    let biteStart = 0
    while (this.#end + HEADER_BYTES <= size) {
      if (this.#end + HEADER_BYTES > biteStart + bite.length) {
        biteStart = this.#end
        bite = this.#read(biteStart, Math.min(BITE_BYTES, size - biteStart))
      }
      const header = bite.subarray(this.#end - biteStart)
      const length = HEADER_BYTES + header.readUInt32LE(0)
      if (this.#end + length > size) return
      const numbers = Array.from({ length: header.readUInt32LE(4) }, (_, slot) =>
        header.readUInt32LE(8 + 4 * slot),
      )
      this.#note(numbers, length)
    }
  }

  close(): void {
    closeSync(this.#file)
  }

  #putGroup(pages: readonly (readonly [number: number, page: StoredPage])[]): void {
    const parts = pages.map(([, { url, title, text, fetchedAt }]) => {
      const head = JSON.stringify([url, fetchedAt, title])
      return `${head}\n${text.includes(END) ? text.replaceAll(END, ' ') : text}`
    })
    const packed = zstdCompressSync(parts.join(END), FAST)
    const record = Buffer.alloc(HEADER_BYTES + packed.length)
    record.writeUInt32LE(packed.length, 0)
    record.writeUInt32LE(pages.length, 4)
    pages.forEach(([number], slot) => {
      record.writeUInt32LE(number, 8 + 4 * slot)
    })
    record.set(packed, HEADER_BYTES)
    let written = 0
    while (written < record.length) written += writeSync(this.#file, record, written)
    this.#note(
      pages.map(([number]) => number),
      record.length,
    )
  }

  /** Notes the pages of the group that begins at the end of what is known. */
  #note(numbers: readonly number[], length: number): void {
    for (const [slot, number] of numbers.entries()) {
      this.#starts.lengthen(number + 1)
      this.#slots.lengthen(number + 1)
      this.#starts.set(number, this.#end + 1)
      this.#slots.set(number, slot)
    }
    this.#end += length
  }

  #read(start: number, length: number): Buffer {
    const bytes = Buffer.allocUnsafe(length)
    let read = 0
    while (read < length) {
      const count = readSync(this.#file, bytes, read, length - read, start + read)
      if (count === 0) throw new Error(`${this.#path} ends before its time`)
      read += count
    }
    return bytes
  }
}

function pathIn(dir: string): string {
  const folder = join(dir, 'index')
  mkdirSync(folder, { recursive: true })
  return join(folder, PAGES_FILE)
}
