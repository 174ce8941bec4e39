import { createHash } from 'node:crypto'
import { createReadStream, statSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { crc32 } from 'node:zlib'

/** Above this a field of four bytes says "see the 64-bit one". */
const MOST_32 = 0xffff_ffff
const MOST_16 = 0xffff
const VERSION_64 = 45
/** 1 January 1980: an archive of the same files is the same to the byte. */
const NO_TIME = { time: 0, date: 0x21 }
const UTF8_NAMES = 0x800

/** A file in a ZIP archive. */
interface ZippedFile {
  readonly name: string
  readonly bytes: number
  /** SHA-256, hex. */
  readonly sha256: string
}

interface Entry extends ZippedFile {
  readonly crc: number
  readonly offset: number
}

/**
 * Writes a ZIP archive whose files are stored as they are, so that readers can seek in them. Sizes have 64 bits where
 * they need them. Memory does not grow with files.
 */
export class ZipFile {
  readonly #file: FileHandle
  readonly #entries: Entry[] = []
  #end = 0

  private constructor(file: FileHandle) {
    this.#file = file
  }

  static async create(path: string): Promise<ZipFile> {
    return new ZipFile(await open(path, 'w'))
  }

  /** Adds a file, or bytes. */
  async add(name: string, from: string | Buffer): Promise<ZippedFile> {
    const summed = await sumsOf(from)
    const entry: Entry = { name, ...summed, offset: this.#end }
    await this.#write(localHeader(entry))
    for await (const some of piecesOf(from)) await this.#write(some)
    if (this.#end !== entry.offset + localHeader(entry).length + entry.bytes)
      throw new Error(`${name} changed while it was packed`)
    this.#entries.push(entry)
    return { name, bytes: entry.bytes, sha256: entry.sha256 }
  }

  /** Writes the table of contents, and closes the archive. */
  async close(): Promise<void> {
    const start = this.#end
    for (const entry of this.#entries) await this.#write(centralHeader(entry))
    await this.#write(endOf(this.#entries.length, start, this.#end - start))
    await this.#file.close()
  }

  async #write(bytes: Buffer): Promise<void> {
    await this.#file.writeFile(bytes)
    this.#end += bytes.length
  }
}

async function* piecesOf(from: string | Buffer): AsyncGenerator<Buffer> {
  if (typeof from !== 'string') yield from
  else if (statSync(from).size > 0) yield* createReadStream(from, { highWaterMark: 1 << 20 })
}

async function sumsOf(from: string | Buffer): Promise<Pick<Entry, 'bytes' | 'crc' | 'sha256'>> {
  const hash = createHash('sha256')
  let [bytes, crc] = [0, 0]
  for await (const some of piecesOf(from)) {
    hash.update(some)
    crc = crc32(some, crc)
    bytes += some.length
  }
  return { bytes, crc, sha256: hash.digest('hex') }
}

function localHeader(entry: Entry): Buffer {
  const name = Buffer.from(entry.name)
  // Both sizes, or neither, stand here.
  const extra = entry.bytes >= MOST_32 ? extra64([entry.bytes, entry.bytes]) : Buffer.alloc(0)
  const header = Buffer.alloc(30)
  header.writeUInt32LE(0x04034b50, 0)
  writeShared(header, entry, 4, name, extra)
  return Buffer.concat([header, name, extra])
}

function centralHeader(entry: Entry): Buffer {
  const name = Buffer.from(entry.name)
  const large = entry.bytes >= MOST_32 ? [entry.bytes, entry.bytes] : []
  const far = entry.offset >= MOST_32 ? [entry.offset] : []
  const extra = large.length + far.length > 0 ? extra64([...large, ...far]) : Buffer.alloc(0)
  const header = Buffer.alloc(46)
  header.writeUInt32LE(0x02014b50, 0)
  header.writeUInt16LE(VERSION_64, 4)
  writeShared(header, entry, 6, name, extra)
  header.writeUInt32LE(Math.min(entry.offset, MOST_32), 42)
  return Buffer.concat([header, name, extra])
}

/** What both headers of a file say, in the same order: stored, not compressed. */
function writeShared(header: Buffer, entry: Entry, at: number, name: Buffer, extra: Buffer): void {
  const bytes = Math.min(entry.bytes, MOST_32)
  header.writeUInt16LE(VERSION_64, at)
  header.writeUInt16LE(UTF8_NAMES, at + 2)
  header.writeUInt16LE(NO_TIME.time, at + 6)
  header.writeUInt16LE(NO_TIME.date, at + 8)
  header.writeUInt32LE(entry.crc, at + 10)
  header.writeUInt32LE(bytes, at + 14)
  header.writeUInt32LE(bytes, at + 18)
  header.writeUInt16LE(name.length, at + 22)
  header.writeUInt16LE(extra.length, at + 24)
}

function extra64(values: readonly number[]): Buffer {
  const extra = Buffer.alloc(4 + 8 * values.length)
  extra.writeUInt16LE(1, 0)
  extra.writeUInt16LE(8 * values.length, 2)
  for (const [i, value] of values.entries()) extra.writeBigUInt64LE(BigInt(value), 4 + 8 * i)
  return extra
}

function endOf(entries: number, start: number, bytes: number): Buffer {
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(Math.min(entries, MOST_16), 8)
  end.writeUInt16LE(Math.min(entries, MOST_16), 10)
  end.writeUInt32LE(Math.min(bytes, MOST_32), 12)
  end.writeUInt32LE(Math.min(start, MOST_32), 16)
  if (entries < MOST_16 && start < MOST_32 && bytes < MOST_32) return end
  const end64 = Buffer.alloc(56)
  end64.writeUInt32LE(0x06064b50, 0)
  end64.writeBigUInt64LE(44n, 4)
  end64.writeUInt16LE(VERSION_64, 12)
  end64.writeUInt16LE(VERSION_64, 14)
  end64.writeBigUInt64LE(BigInt(entries), 24)
  end64.writeBigUInt64LE(BigInt(entries), 32)
  end64.writeBigUInt64LE(BigInt(bytes), 40)
  end64.writeBigUInt64LE(BigInt(start), 48)
  const locator = Buffer.alloc(20)
  locator.writeUInt32LE(0x07064b50, 0)
  locator.writeBigUInt64LE(BigInt(start + bytes), 8)
  locator.writeUInt32LE(1, 16)
  return Buffer.concat([end64, locator, end])
}
