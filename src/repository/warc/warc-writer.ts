import { randomUUID } from 'node:crypto'
import { mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Exchange } from '#learn/entries/outcome.ts'
import { syncToDisk } from '../durable-file.ts'
import { AppendedFile } from './appended-file.ts'
import { type CdxjEntry, cdxjLine } from './cdxj.ts'
import { hasStretch } from './damaged-stretches.ts'
import type { LastCaptures } from './last-captures.ts'
import {
  INDEX_FILE,
  type OpenedWarcs,
  recoverWarcs,
  remember,
  type WarcsInTables,
} from './recover-warcs.ts'
import { sortCdxj } from './sort-cdxj.ts'
import { DEFAULT_PREFIX, warcFileName, warcFilesIn } from './warc-files.ts'
import { type CaptureFacts, type WarcInfo, WarcRecords } from './warc-records.ts'

export interface WarcOptions {
  /** First part of every file name. */
  readonly prefix?: string
  /** A file that has reached this size is followed by a new one. */
  readonly rolloverBytes?: number
  readonly gzipLevel?: number
  /** What the `warcinfo` record says of the crawl. */
  readonly info: WarcInfo
  /** What the tables know of these files; they must have it. */
  readonly tables?: WarcsInTables
  /** Seconds since 1970. */
  readonly now?: () => number
  /** Uuids. */
  readonly newId?: () => string
}

/** Where the response or revisit record of an exchange lies; `file` is a name in the folder. */
interface WarcPlace {
  readonly file: string
  readonly offset: number
  readonly length: number
}

const ROLLOVER_BYTES = 1e9

/**
 * Writes exchanges as WARC/1.1, every record a gzip member of its own. All records of an exchange are
 * handed to the operating system in one piece before `append` returns: a kill loses at most the one
 * being written, and the next `open` cuts off what is left of it. A file is never renamed, and is
 * valid up to its last whole record at any moment.
 */
export class WarcWriter {
  /** What opening the folder had to repair. */
  readonly opened: OpenedWarcs
  readonly #dir: string
  readonly #prefix: string
  readonly #options: WarcOptions
  readonly #records: WarcRecords
  readonly #captures: LastCaptures
  #index: AppendedFile | undefined
  #file: AppendedFile | undefined
  #name: string
  #serial: number
  #warcinfoId = ''

  private constructor(dir: string, options: WarcOptions, opened: OpenedWarcs) {
    this.opened = opened
    this.#dir = dir
    this.#options = options
    this.#prefix = options.prefix ?? DEFAULT_PREFIX
    this.#records = new WarcRecords(options.gzipLevel ?? 1, options.newId ?? randomUUID)
    this.#captures = opened.captures
    const newest = warcFilesIn(dir, this.#prefix).at(-1)
    this.#serial = newest?.serial ?? 0
    const isFinished = !newest || this.#isFull(newest.name) || hasStretch(dir, newest.name)
    this.#name = isFinished ? '' : newest.name
  }

  /** Opens or makes a folder of WARC files and repairs what a kill left there. */
  static async open(dir: string, options: WarcOptions): Promise<WarcWriter> {
    mkdirSync(dir, { recursive: true })
    const opened = await recoverWarcs(dir, options.prefix ?? DEFAULT_PREFIX, options.tables)
    return new WarcWriter(dir, options, opened)
  }

  /** Keeps an exchange; on return it outlives the process. Throws, and keeps nothing, on a full disk. */
  append(exchange: Exchange, facts: CaptureFacts): WarcPlace {
    const opening = this.#openFile()
    const file = this.#file!
    const url = facts.url.replace(/[\0-\x20\x7f]/g, encodeURIComponent)
    const kept = { url, exchange, warcinfoId: this.#warcinfoId }
    const capture = this.#records.capture(kept, this.#captures.get(url))
    const { member, id, digest, mime, status } = capture
    const more = [this.#records.request(kept, id), ...this.#records.metadata(kept, id, facts)]
    const offset = file.size + opening.reduce((sum, part) => sum + part.length, 0)
    try {
      file.append([...opening, member, ...more])
    } catch (error) {
      this.#warcinfoId = '' // it may have been part of what was taken back
      throw error
    }
    const entry: CdxjEntry = {
      url,
      at: Math.floor(exchange.startedAt),
      mime,
      status,
      digest,
      offset,
      length: member.length,
      filename: this.#name,
      record: id,
      truncated: exchange.truncated,
    }
    remember(entry, this.#captures)
    this.#index ??= new AppendedFile(join(this.#dir, INDEX_FILE))
    this.#index.append([Buffer.from(cdxjLine(entry))])
    return { file: this.#name, offset, length: member.length }
  }

  /** From here on all that was kept outlives a power cut too; the index can be made anew. */
  sync(): void {
    if (!this.#file) return
    this.#file.sync()
    syncToDisk(this.#dir)
  }

  /** Closes the files and sorts the index. */
  async close(): Promise<void> {
    this.#file?.close()
    this.#file = undefined
    this.#name = ''
    if (!this.#index) return
    this.#index.close()
    this.#index = undefined
    await sortCdxj(join(this.#dir, INDEX_FILE))
  }

  /** Makes sure that a file is open; gives the record that is still to be written before all others. */
  #openFile(): Buffer[] {
    if (this.#file && this.#file.size >= this.#rolloverBytes) {
      this.#file.sync()
      this.#file.close()
      this.#file = undefined
      this.#name = ''
    }
    if (this.#file) return this.#warcinfoId === '' ? [this.#packWarcinfo()] : []
    if (this.#name === '') this.#name = warcFileName(this.#prefix, this.#now(), ++this.#serial)
    this.#file = new AppendedFile(join(this.#dir, this.#name))
    return [this.#packWarcinfo()]
  }

  get #rolloverBytes(): number {
    return this.#options.rolloverBytes ?? ROLLOVER_BYTES
  }

  #isFull(name: string): boolean {
    return statSync(join(this.#dir, name)).size >= this.#rolloverBytes
  }

  #now(): number {
    return this.#options.now?.() ?? Date.now() / 1000
  }

  #packWarcinfo(): Buffer {
    const { id, member } = this.#records.warcinfo(this.#options.info, this.#name, this.#now())
    this.#warcinfoId = id
    return member
  }
}
