import { SettingError } from '#errors/setting-error.ts'
import { FileWindow } from './file-window.ts'
import { BrokenOff, RecordFeed } from './record-feed.ts'

export interface WarcRecord {
  /** Where the record lies: its gzip member, or its first byte in a plain file. */
  readonly offset: number
  /** Bytes it takes there; 0 if it shares its gzip member with other records. */
  readonly length: number
  /** `response`, `revisit` …, lower case. */
  readonly type: string
  /** By lower-case name; of a repeated field the first. */
  readonly fields: ReadonlyMap<string, string>
  /** The block, at most `maxBlockBytes` of it. */
  readonly block: Buffer
  /** Length of the whole block. */
  readonly blockBytes: number
}

/** A record that could not be read, or the cut-off end of a file. */
export interface WarcDamage {
  readonly file: string
  readonly offset: number
  readonly reason: string
  /** The file ends here: it was cut off, and everything before is whole. */
  readonly isTail: boolean
}

export interface ReadWarcOptions {
  /** Blocks are cut off here. */
  readonly maxBlockBytes?: number
  /** Types whose blocks are wanted; those of others come empty. All, if not given. */
  readonly blocksOf?: ReadonlySet<string>
  /** Hears of damage, and reading goes on after it; without it damage is an error. */
  readonly onDamage?: (damage: WarcDamage) => void
  /** Where to begin: the offset of a record. */
  readonly from?: number
}

const MAX_BLOCK_BYTES = 1 << 26
const MAX_LINE_BYTES = 1 << 16
const MAX_FIELDS = 1000
const MAX_HEAD_BYTES = 1 << 20
const W = 0x57
const VERSION = /^WARC\/\d+(\.\d+)?\s*$/

/** The text of the error that a damage is when nobody is there to hear of it. */
export function damageText({ file, offset, reason }: WarcDamage): string {
  return `${file}, record at byte ${offset}: ${reason}`
}

/**
 * The records of a WARC file, plain or gzipped (one record a member or not), whoever wrote it: bare
 * line feeds, missing digests, extra blank lines and folded fields are fine. Memory is bounded by
 * one block.
 */
export async function* readWarc(
  path: string,
  options: ReadWarcOptions = {},
): AsyncGenerator<WarcRecord> {
  const file = await FileWindow.open(path, options.from)
  const feed = await RecordFeed.over(file, path)
  const reader = new RecordReader(path, feed, options)
  try {
    for (;;) {
      const record = await reader.next()
      if (!record) return
      yield record
    }
  } finally {
    await feed.close()
    await file.close()
  }
}

class RecordReader {
  readonly #path: string
  readonly #feed: RecordFeed
  readonly #options: ReadWarcOptions
  /** Damage met behind a record that was whole. */
  #pending: unknown
  #found = 0
  /** Between records that are damaged: only a version line ends it. */
  #lost = false
  #reported = -1
  /** Where the record being read lies. */
  #start = 0
  #startsMember = false

  constructor(path: string, feed: RecordFeed, options: ReadWarcOptions) {
    this.#path = path
    this.#feed = feed
    this.#options = options
  }

  async next(): Promise<WarcRecord | undefined> {
    for (;;) {
      try {
        const record = await this.#read()
        this.#found++
        this.#reported = -1
        return record
      } catch (error) {
        if (!(error instanceof BrokenOff)) throw error
        const { at, message, isLast } = error
        this.#report({ file: this.#path, offset: at, reason: message, isTail: isLast })
        if (isLast) return undefined
        this.#lost = true
      }
    }
  }

  async #read(): Promise<WarcRecord | undefined> {
    const pending = this.#pending
    this.#pending = undefined
    if (pending) throw pending
    await this.#feed.skipLineEnds()
    if (!(await this.#feed.hasMore())) return undefined
    if (!(await this.#findVersion())) return undefined
    this.#lost = false
    return this.#readRecord()
  }

  /** Reads the version line; after damage, all lines up to the next one. False at the end. */
  async #findVersion(): Promise<boolean> {
    for (;;) {
      if (!(await this.#feed.hasMore())) return false
      this.#start = this.#feed.offset
      this.#startsMember = this.#feed.isAtStart
      const line = await this.#feed.line(MAX_LINE_BYTES)
      if (line === undefined) return false
      const text = line.toString('latin1', 0, 20)
      if (VERSION.test(text)) return true
      if (this.#found === 0 && !this.#lost)
        throw new SettingError(
          'warcs',
          `${this.#path}, byte ${this.#start}: no WARC record here (it begins with ${JSON.stringify(text.trim())}); is it a WARC file?`,
        )
      if (!this.#lost) {
        this.#lost = true
        const isTail = 'WARC/'.startsWith(text) && !(await this.#feed.hasMore())
        this.#damage(isTail ? 'the file ends within it' : 'no WARC record here', isTail)
      }
    }
  }

  async #readRecord(): Promise<WarcRecord> {
    const offset = this.#start
    const fields = await this.#readFields()
    const type = fields.get('warc-type')?.toLowerCase()
    const blockBytes = Number(fields.get('content-length') ?? Number.NaN)
    if (!Number.isSafeInteger(blockBytes) || blockBytes < 0)
      throw new BrokenOff(offset, 'no valid Content-Length', false)
    if (type === undefined) throw new BrokenOff(offset, 'no WARC-Type', false)
    const { blocksOf, maxBlockBytes = MAX_BLOCK_BYTES } = this.#options
    const keep = !blocksOf || blocksOf.has(type) ? maxBlockBytes : 0
    const block = await this.#within(offset, () => this.#feed.read(blockBytes, keep))
    try {
      const next = await this.#feed.skipLineEnds()
      if (next !== undefined && next !== W && !this.#feed.isAtStart)
        throw new BrokenOff(offset, 'it goes on behind its end', false)
    } catch (error) {
      // A wrong checksum is known only now, and makes all of the member doubtful.
      if (error instanceof BrokenOff && error.at === offset) throw error
      this.#pending = error
    }
    const isAlone = this.#startsMember && this.#feed.end > offset
    return {
      offset,
      length: isAlone ? this.#feed.end - offset : 0,
      type,
      fields,
      block,
      blockBytes,
    }
  }

  async #readFields(): Promise<Map<string, string>> {
    const offset = this.#start
    const fields = new Map<string, string>()
    let last: string | undefined
    let bytes = 0
    for (let count = 0; count < MAX_FIELDS && bytes < MAX_HEAD_BYTES; count++) {
      const line = await this.#within(offset, () => this.#feed.line(MAX_LINE_BYTES))
      if (line === undefined || line.at(-1) !== 10)
        throw new BrokenOff(offset, 'the file ends within it', true)
      bytes += line.length
      const text = line.toString('utf8').trimEnd()
      if (text === '') return fields
      if (/^[ \t]/.test(text) && last !== undefined) {
        fields.set(last, `${fields.get(last)} ${text.trim()}`)
        continue
      }
      const colon = text.indexOf(':')
      if (colon <= 0)
        throw new BrokenOff(offset, `no field: ${JSON.stringify(text.slice(0, 60))}`, false)
      last = text.slice(0, colon).trim().toLowerCase()
      if (!fields.has(last)) fields.set(last, unbracketed(text.slice(colon + 1).trim()))
    }
    throw new BrokenOff(offset, `more than ${MAX_FIELDS} fields, or 1 MiB of them`, false)
  }

  /** Damage within a record is the record's, wherever its members lie. */
  async #within<T>(offset: number, read: () => Promise<T>): Promise<T> {
    try {
      return await read()
    } catch (error) {
      if (!(error instanceof BrokenOff)) throw error
      throw new BrokenOff(offset, error.message, error.isLast)
    }
  }

  #damage(reason: string, isTail: boolean): void {
    this.#report({ file: this.#path, offset: this.#start, reason, isTail })
  }

  #report(damage: WarcDamage): void {
    // What is wrong with one record is often noticed twice: by its words and by its checksum.
    if (damage.offset === this.#reported) return
    this.#reported = damage.offset
    if (!this.#options.onDamage) throw new SettingError('warcs', damageText(damage))
    this.#options.onDamage(damage)
  }
}

/** wget writes `<http://example.org/>`, and ids are in angle brackets everywhere. */
function unbracketed(value: string): string {
  return value.startsWith('<') && value.endsWith('>') ? value.slice(1, -1) : value
}
