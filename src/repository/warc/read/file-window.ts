import { type FileHandle, open } from 'node:fs/promises'
import { SettingError } from '#errors/setting-error.ts'

const CHUNK_BYTES = 1 << 20
const FEWEST_BYTES = 256

/** A file read from front to back, in chunks that stay until they are let go. */
export class FileWindow {
  readonly #file: FileHandle
  /** When it was opened: what is appended later is read in small bites. */
  readonly #size: number
  #chunks: { readonly start: number; readonly bytes: Buffer }[] = []
  #readTo: number
  #ended = false
  #reading: Promise<boolean> | undefined
  /** Offset of the next byte that nobody has taken yet. */
  position: number

  private constructor(file: FileHandle, size: number, from: number) {
    this.#file = file
    this.#size = size
    this.#readTo = from
    this.position = from
  }

  static async open(path: string, from = 0): Promise<FileWindow> {
    try {
      const file = await open(path, 'r')
      return new FileWindow(file, (await file.stat()).size, from)
    } catch (cause) {
      const { code } = cause as NodeJS.ErrnoException
      const why = code === 'ENOENT' ? 'no such file' : `cannot be read (${code})`
      throw new SettingError('warcs', `${path}: ${why}`, { cause })
    }
  }

  /** At least `count` bytes from `position` on, or fewer at the end of the file. */
  async peek(count: number): Promise<Buffer> {
    for (;;) {
      const [first] = this.#chunks
      const skip = first ? this.position - first.start : 0
      const held = this.#readTo - this.position
      if (held >= count || this.#ended) {
        if (!first) return Buffer.alloc(0)
        if (first.bytes.length - skip >= Math.min(count, held)) return first.bytes.subarray(skip)
        const bytes = Buffer.concat(this.#chunks.map((chunk) => chunk.bytes)).subarray(skip)
        this.#chunks = [{ start: this.position, bytes }]
        return bytes
      }
      await this.#readMore()
    }
  }

  /** The bytes from `position` on, chunk by chunk; does not move it. */
  async *ahead(): AsyncGenerator<Buffer> {
    for (let at = this.position; ; ) {
      const chunk = this.#chunks.find(({ start, bytes }) => at < start + bytes.length)
      if (chunk) {
        yield chunk.bytes.subarray(at - chunk.start)
        at = chunk.start + chunk.bytes.length
      } else if (!(await this.#readMore())) return
    }
  }

  /** Moves on, and lets go of what lies behind. */
  moveTo(position: number): void {
    this.position = position
    this.#chunks = this.#chunks.filter(({ start, bytes }) => position < start + bytes.length)
  }

  /** Goes to any place; what was read is forgotten, unless the place lies in it. */
  seek(position: number): void {
    const [first] = this.#chunks
    if (first && position >= first.start && position < this.#readTo) {
      this.moveTo(position)
      return
    }
    this.#chunks = []
    this.#readTo = position
    this.#ended = false
    this.position = position
  }

  async close(): Promise<void> {
    await this.#file.close()
  }

  /** One read at a time: a reader that was given up may still wait for its own. */
  #readMore(): Promise<boolean> {
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined
    })
    return this.#reading
  }

  async #read(): Promise<boolean> {
    if (this.#ended) return false
    const start = this.#readTo
    const buffer = Buffer.allocUnsafe(
      Math.max(FEWEST_BYTES, Math.min(CHUNK_BYTES, this.#size - start)),
    )
    const { bytesRead } = await this.#file.read(buffer, 0, buffer.length, start)
    if (start !== this.#readTo) return true // somebody went elsewhere meanwhile
    this.#ended = bytesRead === 0
    if (this.#ended) return false
    this.#chunks.push({ start, bytes: buffer.subarray(0, bytesRead) })
    this.#readTo += bytesRead
    return true
  }
}
