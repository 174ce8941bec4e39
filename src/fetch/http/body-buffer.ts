const FIRST_BYTES = 4_096
/** Spare room beyond this share of the body is given back at the end. */
const MAX_SPARE = 0.25
/**
 * Longer bodies grow where they are, in pages of their own that the system gets back when they are done. Cut from the
 * common heap, what hundreds of them leave behind is in pieces, and hundreds of megabytes stay taken.
 */
const OWN_PAGES_BYTES = 128 * 1024

/** A body as it arrives. However small its pieces, it takes about as much memory as its bytes. */
export class BodyBuffer {
  readonly #mostBytes: number
  #space: Buffer = Buffer.alloc(0)
  #length = 0

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes
  }

  get length(): number {
    return this.#length
  }

  append(piece: Uint8Array): void {
    const length = this.#length + piece.length
    if (length > this.#space.length)
      this.#resize(Math.max(length, Math.min(2 * this.#space.length, this.#mostBytes), FIRST_BYTES))
    this.#space.set(piece, this.#length)
    this.#length = length
  }

  /** All that has come so far. */
  bytes(): Buffer {
    if (this.#space.length > this.#length * (1 + MAX_SPARE)) this.#resize(this.#length)
    return this.#space.subarray(0, this.#length)
  }

  #resize(bytes: number): void {
    const own = this.#space.buffer as ArrayBuffer
    if (own.resizable && bytes <= own.maxByteLength) {
      own.resize(bytes)
      this.#space = Buffer.from(own, 0, bytes)
      return
    }
    const space = spaceOf(bytes, Math.max(bytes, this.#mostBytes))
    space.set(this.#space.subarray(0, this.#length))
    this.#space = space
  }
}

function spaceOf(bytes: number, mostBytes: number): Buffer {
  if (bytes <= OWN_PAGES_BYTES) return Buffer.allocUnsafeSlow(bytes)
  return Buffer.from(new ArrayBuffer(bytes, { maxByteLength: mostBytes }), 0, bytes)
}
