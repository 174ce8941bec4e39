import {
  closeSync,
  existsSync,
  fstatSync,
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

const FILE = 'pages.bin'
const HEADER_BYTES = 8
const FAST = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }
/** Headers are read in bites while a file is scanned. */
const BITE_BYTES = 1 << 20

/**
 * The words of the pages in the index, for titles and excerpts: an append-only file of records, each
 * URL number, length and the packed page. The last record of a URL counts. A record cut off by a kill
 * is cut away by the next writer and overlooked by readers.
 */
export class PageStore {
  readonly #path: string
  readonly #file: number
  /** By URL: where its record begins, plus 1; 0 for none. */
  readonly #starts = new GrowingColumn(Float64Array)
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

  put(number: number, { url, title, text, fetchedAt }: StoredPage): void {
    const packed = zstdCompressSync(JSON.stringify([url, fetchedAt, title, text]), FAST)
    const record = Buffer.allocUnsafe(HEADER_BYTES + packed.length)
    record.writeUInt32LE(number, 0)
    record.writeUInt32LE(packed.length, 4)
    record.set(packed, HEADER_BYTES)
    let written = 0
    while (written < record.length) written += writeSync(this.#file, record, written)
    this.#note(number, this.#end)
    this.#end += record.length
  }

  get(number: number): StoredPage | undefined {
    const start = number < this.#starts.length ? this.#starts.at(number) - 1 : -1
    if (start < 0) return undefined
    const header = this.#read(start, HEADER_BYTES)
    const packed = this.#read(start + HEADER_BYTES, header.readUInt32LE(4))
    const [url, fetchedAt, title, text] = JSON.parse(zstdDecompressSync(packed).toString('utf8'))
    return { url, title, text, fetchedAt }
  }

  /** Takes notice of what was written since. */
  refresh(): void {
    const size = fstatSync(this.#file).size
    let bite: Buffer = Buffer.alloc(0)
    let biteStart = 0
    while (this.#end + HEADER_BYTES <= size) {
      if (this.#end + HEADER_BYTES > biteStart + bite.length || this.#end < biteStart) {
        biteStart = this.#end
        bite = this.#read(biteStart, Math.min(BITE_BYTES, size - biteStart))
      }
      const at = this.#end - biteStart
      const length = HEADER_BYTES + bite.readUInt32LE(at + 4)
      if (this.#end + length > size) return
      this.#note(bite.readUInt32LE(at), this.#end)
      this.#end += length
    }
  }

  close(): void {
    closeSync(this.#file)
  }

  #note(number: number, start: number): void {
    while (this.#starts.length <= number) this.#starts.push(0)
    this.#starts.set(number, start + 1)
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
  return join(folder, FILE)
}
