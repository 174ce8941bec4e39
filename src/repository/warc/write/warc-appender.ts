import { randomUUID } from 'node:crypto'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { WarcPlace } from '#learn/entries/fetch-entry.ts'
import type { Exchange } from '#learn/entries/outcome.ts'
import { syncToDisk } from '../../durable-file.ts'
import type { CdxjEntry } from '../cdxj.ts'
import { hasStretch } from '../damaged-stretches.ts'
import type { Capture } from '../last-captures.ts'
import { DEFAULT_PREFIX, warcFileName, warcFilesIn } from '../warc-files.ts'
import { AppendedFile } from './appended-file.ts'
import { type CaptureFacts, type WarcInfo, WarcRecords } from './warc-records.ts'

export interface AppenderOptions {
  /** First part of every file name; of several who write into a folder, each has its own. */
  readonly prefix?: string
  /** A file that has reached this size is followed by a new one. */
  readonly rolloverBytes?: number
  /** What the `warcinfo` record says of the crawl. */
  readonly info: WarcInfo
  /** Seconds since 1970. */
  readonly now?: () => number
  /** Uuids. */
  readonly newId?: () => string
}

const ROLLOVER_BYTES = 1e9

/**
 * Writes exchanges as WARC/1.1, every record a gzip member of its own. All records of an exchange are
 * handed to the operating system in one piece before `append` returns: a kill loses at most the one
 * being written, and the next crawl cuts off what is left of it. A file is never renamed, and is
 * valid up to its last whole record at any moment.
 */
export class WarcAppender {
  readonly #dir: string
  readonly #prefix: string
  readonly #options: AppenderOptions
  readonly #records: WarcRecords
  #file: AppendedFile | undefined
  #name: string
  #serial: number
  #warcinfoId = ''

  /** For a folder that is whole. */
  constructor(dir: string, options: AppenderOptions) {
    this.#dir = dir
    this.#options = options
    this.#prefix = options.prefix ?? DEFAULT_PREFIX
    this.#records = new WarcRecords(options.newId ?? randomUUID)
    const own = warcFilesIn(dir, this.#prefix).filter(({ writer }) => writer === this.#prefix)
    const newest = own.at(-1)
    this.#serial = newest?.serial ?? 0
    const isFinished = !newest || this.#isFull(newest.name) || hasStretch(dir, newest.name)
    this.#name = isFinished ? '' : newest.name
  }

  /**
   * Keeps an exchange; on return it outlives the process. Throws, and keeps nothing, on a full disk. With the last answer
   * of the URL, one that says no more becomes a revisit.
   */
  append(exchange: Exchange, facts: CaptureFacts, original?: Capture): CdxjEntry {
    const opening = this.#openFile()
    const file = this.#file!
    const url = writtenUrl(facts.url)
    const kept = { url, exchange, warcinfoId: this.#warcinfoId }
    const capture = this.#records.capture(kept, original)
    const { member, id, digest, mime, status } = capture
    const more = this.#records.beside(kept, id, facts)
    const offset = file.size + opening.reduce((sum, part) => sum + part.length, 0)
    try {
      file.append([...opening, member, ...more])
    } catch (error) {
      this.#warcinfoId = '' // it may have been part of what was taken back
      throw error
    }
    return {
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
  }

  /** Keeps records that somebody else has made, as they are; tells where. */
  appendPacked(records: Uint8Array): WarcPlace {
    const opening = this.#openFile()
    const file = this.#file!
    const offset = file.size + opening.reduce((sum, part) => sum + part.length, 0)
    file.append([...opening, Buffer.from(records.buffer, records.byteOffset, records.length)])
    return { file: this.#name, offset }
  }

  /** From here on all that was kept outlives a power cut too. */
  sync(): void {
    if (!this.#file) return
    this.#file.sync()
    syncToDisk(this.#dir)
  }

  close(): void {
    this.#file?.close()
    this.#file = undefined
    this.#name = ''
  }

  /** Makes sure that a file is open; gives the record that is still to be written before all others. */
  #openFile(): Buffer[] {
    if (this.#file && this.#file.size >= this.#rolloverBytes) {
      this.#file.sync()
      this.close()
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

/** A URL as records and index have it. */
export function writtenUrl(url: string): string {
  return url.replace(/[\0-\x20\x7f]/g, encodeURIComponent)
}
