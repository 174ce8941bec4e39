const FIRST_BYTES = 4_096
/** Spare room beyond this share of the body is given back at the end. */
const MAX_SPARE = 0.25

/** A body as it arrives. However small its pieces, it takes about as much memory as its bytes. */
export class BodyBuffer {
  #space: Buffer = Buffer.alloc(0)
  #length = 0

  get length(): number {
    return this.#length
  }

  append(piece: Uint8Array): void {
    const length = this.#length + piece.length
    if (length > this.#space.length)
      this.#resize(Math.max(length, 2 * this.#space.length, FIRST_BYTES))
    this.#space.set(piece, this.#length)
    this.#length = length
  }

  /** All that has come so far. */
  bytes(): Buffer {
    if (this.#space.length > this.#length * (1 + MAX_SPARE)) this.#resize(this.#length)
    return this.#space.subarray(0, this.#length)
  }

  #resize(bytes: number): void {
    const space = Buffer.allocUnsafeSlow(bytes)
    space.set(this.#space.subarray(0, this.#length))
    this.#space = space
  }
}
