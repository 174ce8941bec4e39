import { resizedInOwnPages } from '#numeric/own-pages.ts'

const FIRST_BYTES = 4_096
/** Spare room beyond this share of the body is given back at the end. */
const MAX_SPARE = 0.25
/** Longer ones have pages of their own. Those take longer to get, so short ones do without. */
const OWN_PAGES_BYTES = 128 * 1024
/** Addresses are kept free for so much growth; what a user allows may be more than a machine has. */
const MOST_KEPT_FREE = 1 << 26

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
    if (bytes > OWN_PAGES_BYTES) {
      this.#space = resizedInOwnPages(this.#space, bytes, Math.min(this.#mostBytes, MOST_KEPT_FREE))
      return
    }
    const space = Buffer.allocUnsafeSlow(bytes)
    space.set(this.#space.subarray(0, this.#length))
    this.#space = space
  }
}
