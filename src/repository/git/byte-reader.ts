const NONE = new Uint8Array(0)
/** No line or name that git prints is longer; of what is, the beginning is given. */
const MAX_FIELD_CHARS = 1 << 16

/** Fields and counted bytes out of a stream of chunks, holding one chunk or field at a time. */
export class ByteReader {
  readonly #chunks: AsyncIterator<Uint8Array>
  #chunk: Uint8Array = NONE
  #at = 0

  constructor(chunks: AsyncIterable<Uint8Array>) {
    this.#chunks = chunks[Symbol.asyncIterator]()
  }

  /** The bytes up to the next delimiter, one character a byte; undefined at the stream's end. */
  async field(delimiter: number): Promise<string | undefined> {
    let head = ''
    for (;;) {
      const end = this.#chunk.indexOf(delimiter, this.#at)
      if (end >= 0) {
        const text = head + this.#text(end, head.length)
        this.#at = end + 1
        return text
      }
      head += this.#text(this.#chunk.length, head.length)
      if (!(await this.#more())) return undefined
    }
  }

  /** The next `count` bytes; undefined if the stream ends before. */
  async take(count: number): Promise<Uint8Array | undefined> {
    const bytes = new Uint8Array(count)
    let filled = 0
    while (filled < count) {
      if (this.#at === this.#chunk.length && !(await this.#more())) return undefined
      const part = this.#chunk.subarray(this.#at, this.#at + count - filled)
      bytes.set(part, filled)
      filled += part.length
      this.#at += part.length
    }
    return bytes
  }

  /** Passes over `count` bytes, however many; false if the stream ends before. */
  async skip(count: number): Promise<boolean> {
    let left = count
    while (left > 0) {
      if (this.#at === this.#chunk.length && !(await this.#more())) return false
      const passed = Math.min(left, this.#chunk.length - this.#at)
      this.#at += passed
      left -= passed
    }
    return true
  }

  /** What lies before an end, as far as a field that has so many characters already may grow. */
  #text(end: number, length: number): string {
    return latin1(this.#chunk, this.#at, Math.min(end, this.#at + MAX_FIELD_CHARS - length))
  }

  async #more(): Promise<boolean> {
    const { done, value } = await this.#chunks.next()
    this.#chunk = done ? NONE : value
    this.#at = 0
    return !done
  }
}

function latin1(bytes: Uint8Array, start: number, end: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('latin1')
}
