const FIRST_BYTES = 4_096
/** When so much has come, room is made at once for all that was announced. */
const BELIEVED_BYTES = 128 * 1024
/** Spare room beyond this share of the body is given back at the end. */
const MAX_SPARE = 0.25

/** A body as it arrives. However small its pieces, it takes about as much memory as its bytes. */
export class BodyBuffer {
  /** How long the sender says it is to be. */
  announced = 0
  #space: Buffer = Buffer.alloc(0)
  #length = 0

  get length(): number {
    return this.#length
  }

  append(piece: Uint8Array): void {
    const length = this.#length + piece.length
    if (length > this.#space.length) this.#resize(this.#roomFor(length))
    this.#space.set(piece, this.#length)
    this.#length = length
  }

  /** All that has come so far. */
  bytes(): Buffer {
    if (this.#space.length > this.#length * (1 + MAX_SPARE)) this.#resize(this.#length)
    return this.#space.subarray(0, this.#length)
  }

  #roomFor(length: number): number {
    if (length > BELIEVED_BYTES && length <= this.announced) return this.announced
    return Math.max(length, 2 * this.#space.length, FIRST_BYTES)
  }

  #resize(bytes: number): void {
    const space = Buffer.allocUnsafeSlow(bytes)
    space.set(this.#space.subarray(0, this.#length))
    // Nobody else knows the old one: it is freed now, not when garbage is next collected.
    ;(this.#space.buffer as ArrayBuffer).transfer(0)
    this.#space = space
  }
}
