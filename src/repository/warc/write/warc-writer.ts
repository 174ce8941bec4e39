import { join } from 'node:path'
import type { WarcPlace } from '#learn/entries/fetch-entry.ts'
import type { Exchange } from '#learn/entries/outcome.ts'
import { syncToDisk } from '../../durable-file.ts'
import { makeFolder } from '../../make-folder.ts'
import { type CdxjEntry, cdxjLine } from '../cdxj.ts'
import type { Capture } from '../last-captures.ts'
import {
  INDEX_FILE,
  type OpenedWarcs,
  recoverWarcs,
  remember,
  type WarcsInTables,
} from '../recover-warcs.ts'
import { sortCdxj } from '../sort-cdxj.ts'
import { DEFAULT_PREFIX } from '../warc-files.ts'
import { AppendedFile } from './appended-file.ts'
import { type AppenderOptions, WarcAppender, writtenUrl } from './warc-appender.ts'
import type { CaptureFacts } from './warc-records.ts'

export interface WarcOptions extends AppenderOptions {
  /** What the tables know of these files; they must have it. */
  readonly tables?: WarcsInTables
}

/** Of the index; about fifty lines. */
const WAITING_CHARS = 16_384

/** A folder of WARC files and its index. Exchanges are appended here, or by workers that tell what they appended. */
export class WarcWriter {
  /** What opening the folder had to repair. */
  readonly opened: OpenedWarcs
  readonly #dir: string
  readonly #appender: WarcAppender
  #index: AppendedFile | undefined
  /** Lines for the index that still wait; should they be lost, they are made again from the files. */
  #lines = ''
  /** Files that workers appended to since the last time. */
  readonly #unsynced = new Set<string>()

  private constructor(dir: string, options: WarcOptions, opened: OpenedWarcs) {
    this.opened = opened
    this.#dir = dir
    this.#appender = new WarcAppender(dir, options)
  }

  /** Opens or makes a folder of WARC files and repairs what a kill left there. */
  static async open(dir: string, options: WarcOptions): Promise<WarcWriter> {
    makeFolder(dir)
    const opened = await recoverWarcs(dir, options.prefix ?? DEFAULT_PREFIX, options.tables)
    return new WarcWriter(dir, options, opened)
  }

  /** Keeps an exchange; on return it outlives the process. Throws, and keeps nothing, on a full disk. */
  append(exchange: Exchange, facts: CaptureFacts): WarcPlace & { readonly length: number } {
    const entry = this.#appender.append(exchange, facts, this.lastOf(facts.url))
    this.#note(entry)
    this.#writeLines()
    return { file: entry.filename, offset: entry.offset, length: entry.length }
  }

  /** Keeps records of a worker on another machine; what they are is noted with their outcome. */
  appendPacked(records: Uint8Array): WarcPlace {
    return this.#appender.appendPacked(records)
  }

  /**
   * Notes what a worker has appended; a line at a time would be a write a page. Only lines of the newest files wait, and
   * the index is there as soon as anything is: so a check after a kill takes nothing for damage.
   */
  note(entry: CdxjEntry): void {
    const isFirst = !this.#unsynced.has(entry.filename)
    this.#unsynced.add(entry.filename)
    this.#note(entry)
    if (isFirst || this.#lines.length >= WAITING_CHARS) this.#writeLines()
  }

  /** The last good answer of a URL, which a later one may say no more than. */
  lastOf(url: string): Capture | undefined {
    return this.opened.captures.get(writtenUrl(url))
  }

  /** From here on all that was kept outlives a power cut too; the index can be made anew. */
  sync(): void {
    this.#writeLines()
    this.#appender.sync()
    if (this.#unsynced.size === 0) return
    for (const name of this.#unsynced) syncToDisk(join(this.#dir, name))
    syncToDisk(this.#dir)
    this.#unsynced.clear()
  }

  /** Closes the files and sorts the index. */
  async close(): Promise<void> {
    this.#writeLines()
    this.#appender.close()
    if (!this.#index) return
    this.#index.close()
    this.#index = undefined
    await sortCdxj(join(this.#dir, INDEX_FILE))
  }

  #note(entry: CdxjEntry): void {
    remember(entry, this.opened.captures)
    this.#lines += cdxjLine(entry)
  }

  #writeLines(): void {
    if (this.#lines === '') return
    this.#index ??= new AppendedFile(join(this.#dir, INDEX_FILE))
    this.#index.append([Buffer.from(this.#lines)])
    this.#lines = ''
  }
}
