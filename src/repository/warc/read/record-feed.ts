import { GrowingColumn } from '#numeric/grow.ts'
import type { FileWindow } from './file-window.ts'
import { gzipMembers, type MemberEvent } from './gzip-members.ts'

const NEWLINE = 10

/** The bytes ended or broke off where they should go on. */
export class BrokenOff extends Error {
  /** Where the damaged member lies in the file. */
  readonly at: number
  /** Nothing readable follows. */
  readonly isLast: boolean

  constructor(at: number, reason: string, isLast: boolean) {
    super(reason)
    this.at = at
    this.isLast = isLast
  }
}

/** The unpacked bytes of a WARC file in order, with a note of where in the file they come from. */
export class RecordFeed {
  readonly #events: AsyncGenerator<MemberEvent>
  readonly #isGzip: boolean
  #bytes: Buffer = Buffer.alloc(0)
  #taken = 0
  #memberStart = 0
  #memberEnd = 0
  #isMemberStart = false

  private constructor(events: AsyncGenerator<MemberEvent>, isGzip: boolean) {
    this.#events = events
    this.#isGzip = isGzip
  }

  /** A file that is gzipped by its first bytes, or by its name unless a record begins it: these bytes may be damaged. */
  static async over(file: FileWindow, name: string): Promise<RecordFeed> {
    const magic = await file.peek(5)
    const isNamedSo = /\.gz$/i.test(name) && magic.toString('latin1', 0, 5) !== 'WARC/'
    const isGzip = (magic[0] === 0x1f && (magic.length < 2 || magic[1] === 0x8b)) || isNamedSo
    return new RecordFeed(isGzip ? gzipMembers(file) : plainBytes(file), isGzip)
  }

  /** Where the next byte comes from: its place in a plain file, else the start of its gzip member. */
  get offset(): number {
    return this.#isGzip ? this.#memberStart : this.#taken
  }

  /** True before the first byte of a gzip member, and always in a plain file. */
  get isAtStart(): boolean {
    return !this.#isGzip || this.#isMemberStart
  }

  /** Where what was read so far ends: the next byte of a plain file, else the end of the last member. */
  get end(): number {
    return this.#isGzip ? this.#memberEnd : this.#taken
  }

  /** Makes sure that the next byte is at hand; false at the end of the file. */
  async hasMore(): Promise<boolean> {
    while (this.#bytes.length === 0) {
      const { value: event, done } = await this.#events.next()
      if (done) return false
      if (event.kind === 'bytes') this.#bytes = event.bytes
      else if (event.kind === 'end') this.#memberEnd = event.at
      else if (event.kind === 'start') {
        this.#memberStart = event.at
        this.#isMemberStart = true
      } else throw new BrokenOff(event.at, event.reason, event.kind === 'cut')
    }
    return true
  }

  /** The next line with its line feed, at most `most` bytes of it; undefined at the end. */
  async line(most: number): Promise<Buffer | undefined> {
    const gathered = new GatheredBytes()
    while (gathered.length < most && (await this.hasMore())) {
      const newline = this.#bytes.indexOf(NEWLINE)
      const end = newline < 0 ? this.#bytes.length : newline + 1
      const part = this.#take(Math.min(end, most - gathered.length))
      gathered.add(part)
      if (part.at(-1) === NEWLINE) break
    }
    return gathered.length === 0 ? undefined : gathered.whole()
  }

  /** The next `count` bytes, of which the first `keep` are given. */
  async read(count: number, keep: number): Promise<Buffer> {
    const gathered = new GatheredBytes()
    let left = count
    while (left > 0) {
      if (!(await this.hasMore())) throw new BrokenOff(this.offset, 'the file ends within it', true)
      const part = this.#take(Math.min(left, this.#bytes.length))
      left -= part.length
      if (gathered.length < keep) gathered.add(part.subarray(0, keep - gathered.length))
    }
    return gathered.whole()
  }

  /** Passes over line ends; gives the first other byte, which stays. */
  async skipLineEnds(): Promise<number | undefined> {
    while (await this.hasMore()) {
      const other = this.#bytes.findIndex((byte) => byte !== NEWLINE && byte !== 13)
      if (other === 0) return this.#bytes[0]
      this.#take(other < 0 ? this.#bytes.length : other)
    }
    return undefined
  }

  async close(): Promise<void> {
    await this.#events.return(undefined)
  }

  #take(count: number): Buffer {
    const taken = this.#bytes.subarray(0, count)
    this.#bytes = this.#bytes.subarray(count)
    this.#taken += count
    this.#isMemberStart = false
    return taken
  }
}

async function* plainBytes(file: FileWindow): AsyncGenerator<MemberEvent> {
  for (;;) {
    const bytes = await file.peek(1)
    if (bytes.length === 0) return
    file.moveTo(file.position + bytes.length)
    yield { kind: 'bytes', bytes }
  }
}

/**
 * Bytes that come in pieces, as one buffer. Several pieces are copied as they come: each may be the only
 * byte in use of a large chunk, and a million of those would not fit into memory.
 */
export class GatheredBytes {
  #only: Buffer | undefined
  #copied: GrowingColumn<Uint8Array> | undefined

  get length(): number {
    return this.#copied?.length ?? this.#only?.length ?? 0
  }

  add(piece: Buffer): void {
    if (!this.#copied && !this.#only) {
      this.#only = piece
      return
    }
    this.#copied ??= new GrowingColumn(Uint8Array)
    if (this.#only) this.#copied.append(this.#only)
    this.#only = undefined
    this.#copied.append(piece)
  }

  whole(): Buffer {
    if (!this.#copied) return this.#only ?? Buffer.alloc(0)
    const { buffer, byteOffset, length } = this.#copied.view()
    return Buffer.from(buffer as ArrayBuffer, byteOffset, length)
  }
}
