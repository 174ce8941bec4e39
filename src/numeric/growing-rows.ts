import { GrowingColumn } from './grow.ts'

const NONE = 0xffffffff

/**
 * Rows of numbers that each grow at their end, all in one array. A row of n values has room for
 * the next power of two. A full row moves to twice the room, and its old room is used again.
 */
export class GrowingRows {
  readonly #starts = new GrowingColumn(Uint32Array)
  readonly #lengths = new GrowingColumn(Uint32Array)
  #values = new Uint32Array(64)
  #end = 0
  // First free block of 2^size values; each free block's first value is the start of the next.
  readonly #free = new Uint32Array(32).fill(NONE)

  get rowCount(): number {
    return this.#lengths.length
  }

  /** Appends a value to a row; rows up to it that were never named are empty. */
  push(row: number, value: number): void {
    this.#starts.lengthen(row + 1)
    this.#lengths.lengthen(row + 1)
    const length = this.#lengths.at(row)
    if ((length & (length - 1)) === 0) this.#enlarge(row, length)
    this.#values[this.#starts.at(row) + length] = value
    this.#lengths.set(row, length + 1)
  }

  lengthOf(row: number): number {
    return this.#lengths.get(row)
  }

  /** A row's values in the order they came, without a copy; the next `push` may move them. */
  rowOf(row: number): Uint32Array {
    const start = this.#starts.get(row)
    return this.#values.subarray(start, start + this.#lengths.get(row))
  }

  /** Values that there is room for before it must grow. */
  get room(): number {
    return this.#values.length
  }

  /** Moves a full row of 0 or 2^k values to twice the room. */
  #enlarge(row: number, length: number): void {
    const size = length === 0 ? 0 : 32 - Math.clz32(length)
    const start = this.#take(size)
    this.#starts.set(row, this.#move(row, length, start))
  }

  #move(row: number, length: number, to: number): number {
    if (length === 0) return to
    const from = this.#starts.at(row)
    this.#values.copyWithin(to, from, from + length)
    const size = 31 - Math.clz32(length)
    this.#values[from] = this.#free[size]
    this.#free[size] = from
    return to
  }

  /** The start of a free block of 2^size values. */
  #take(size: number): number {
    const free = this.#free[size]
    if (free !== NONE) {
      this.#free[size] = this.#values[free]
      return free
    }
    const start = this.#end
    this.#end += 2 ** size
    if (this.#end > this.#values.length) {
      const larger = new Uint32Array(Math.max(this.#end, Math.ceil(this.#values.length * 1.5)))
      larger.set(this.#values.subarray(0, start))
      this.#values = larger
    }
    return start
  }
}
