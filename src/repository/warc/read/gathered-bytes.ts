import { GrowingColumn } from '#numeric/grow.ts'

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
