const CHUNK_BYTES = 1 << 24
const FIRST_CHUNK_BYTES = 1 << 12
const UNIT_BYTES = 4
const UNITS_PER_CHUNK = CHUNK_BYTES / UNIT_BYTES

/**
 * Texts as bytes, packed into chunks outside the garbage collector's care, up to 16 GB.
 *
 * A place counts units of four bytes over all chunks. There lies a header, length * 2 + wide, and
 * then the text: one byte a character, or two (wide) if any is beyond U+00FF. So nothing is lost,
 * not even half a surrogate pair. No text straddles chunks; one larger than a chunk gets its own.
 */
export class TextArena {
  readonly #chunks: Buffer[] = []
  #used = 0 // bytes of the last chunk

  /** Stores a text and gives its place. */
  add(text: string): number {
    const length = text.length
    const most = UNIT_BYTES + length * 2
    this.#makeRoomFor(most)
    const last = this.#chunks.length - 1
    const bytes = this.#chunks[last]
    const start = this.#used
    const body = start + UNIT_BYTES
    const narrow = writeNarrow(bytes, body, text)
    if (!narrow) writeWide(bytes, body, text)
    writeHeader(bytes, start, length * 2 + (narrow ? 0 : 1))
    const end = body + (narrow ? length : length * 2)
    this.#used = (end + UNIT_BYTES - 1) & -UNIT_BYTES
    return last * UNITS_PER_CHUNK + start / UNIT_BYTES
  }

  at(place: number): string {
    const bytes = this.#chunks[Math.floor(place / UNITS_PER_CHUNK)]
    const start = (place % UNITS_PER_CHUNK) * UNIT_BYTES
    const header = readHeader(bytes, start)
    const length = header >>> 1
    const body = start + UNIT_BYTES
    return (header & 1) === 1
      ? bytes.toString('utf16le', body, body + 2 * length)
      : bytes.toString('latin1', body, body + length)
  }

  /** Whether the text at a place is this one. */
  equals(place: number, text: string): boolean {
    const bytes = this.#chunks[Math.floor(place / UNITS_PER_CHUNK)]
    const start = (place % UNITS_PER_CHUNK) * UNIT_BYTES
    const header = readHeader(bytes, start)
    if (header >>> 1 !== text.length) return false
    const body = start + UNIT_BYTES
    return (header & 1) === 1 ? equalsWide(bytes, body, text) : equalsNarrow(bytes, body, text)
  }

  #makeRoomFor(bytes: number): void {
    const last = this.#chunks.length - 1
    const needed = this.#used + bytes
    if (last >= 0 && needed <= this.#chunks[last].length) return
    if (last >= 0 && needed <= CHUNK_BYTES) {
      const larger = Buffer.alloc(
        Math.min(CHUNK_BYTES, Math.max(needed, this.#chunks[last].length * 2)),
      )
      larger.set(this.#chunks[last].subarray(0, this.#used))
      this.#chunks[last] = larger
      return
    }
    if (last + 1 >= 0x100000000 / UNITS_PER_CHUNK)
      throw new Error('a text arena holds 16 GB at most')
    // A small table stays small; once one chunk is full, the next is allocated whole.
    const usual = last < 0 ? FIRST_CHUNK_BYTES : CHUNK_BYTES
    this.#chunks.push(Buffer.alloc(Math.max(usual, bytes)))
    this.#used = 0
  }
}

/** Writes one byte a character; false as soon as a character needs two. */
function writeNarrow(bytes: Uint8Array, start: number, text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    if (unit > 0xff) return false
    bytes[start + i] = unit
  }
  return true
}

function writeWide(bytes: Uint8Array, start: number, text: string): void {
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    bytes[start + 2 * i] = unit
    bytes[start + 2 * i + 1] = unit >>> 8
  }
}

function equalsNarrow(bytes: Uint8Array, start: number, text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    if (bytes[start + i] !== text.charCodeAt(i)) return false
  }
  return true
}

function equalsWide(bytes: Uint8Array, start: number, text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const at = start + 2 * i
    if ((bytes[at] | (bytes[at + 1] << 8)) !== text.charCodeAt(i)) return false
  }
  return true
}

function writeHeader(bytes: Uint8Array, start: number, header: number): void {
  bytes[start] = header
  bytes[start + 1] = header >>> 8
  bytes[start + 2] = header >>> 16
  bytes[start + 3] = header >>> 24
}

function readHeader(bytes: Uint8Array, start: number): number {
  return (
    (bytes[start] |
      (bytes[start + 1] << 8) |
      (bytes[start + 2] << 16) |
      (bytes[start + 3] << 24)) >>>
    0
  )
}
