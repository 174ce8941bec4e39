import { releaseArrays } from './own-pages.ts'

/** The typed arrays that hold numbers, not bigints. */
type NumberArray = Uint8Array | Uint16Array | Uint32Array | Int32Array | Float32Array | Float64Array

/** To give a few bytes back takes longer than to leave them to the engine. */
const WORTH_RELEASING = 2 ** 14

/** A typed array of one column that grows at its end. */
export class GrowingColumn<A extends NumberArray> {
  readonly #make: new (
    length: number,
  ) => A
  #values: A
  /** The values alone, as long as none is added. */
  #view: A | undefined
  /** Whether anybody may still read the values through a view. */
  #isLent = false
  #length = 0

  /** `new GrowingColumn(Uint32Array)`; `capacity` is only a hint. */
  constructor(make: new (length: number) => A, capacity = 16) {
    this.#make = make
    this.#values = new make(capacity)
  }

  get length(): number {
    return this.#length
  }

  /** Appends a value and gives its index. */
  push(value: number): number {
    const index = this.#length
    if (index === this.#values.length) this.#makeRoomFor(index + 1)
    this.#values[index] = value
    this.#length = index + 1
    this.#view = undefined
    return index
  }

  /** Appends all of `values`. */
  append(values: ArrayLike<number>): void {
    const end = this.#length + values.length
    if (end > this.#values.length) this.#makeRoomFor(end)
    this.#values.set(values, this.#length)
    this.#length = end
    this.#view = undefined
  }

  /** Makes it at least so long; what was not there has this value. */
  lengthen(length: number, value = 0): void {
    const from = this.#length
    if (length <= from) return
    if (length > this.#values.length) this.#makeRoomFor(length)
    if (value !== 0) this.#values.fill(value, from, length) // new arrays are all 0
    this.#length = length
    this.#view = undefined
  }

  /** Makes room for `length` values in all, exactly. */
  reserve(length: number): void {
    if (length <= this.#values.length) return
    const larger = new this.#make(length)
    larger.set(this.#values.subarray(0, this.#length))
    if (!this.#isLent && this.#values.byteLength >= WORTH_RELEASING) releaseArrays([this.#values])
    this.#values = larger
    this.#view = undefined
    this.#isLent = false
  }

  /**
   * One value. Where millions are read, `view()[index]` is many times faster: this call sees
   * columns of many types, so it is not inlined.
   */
  at(index: number): number {
    this.#mustExist(index)
    return this.#values[index]
  }

  set(index: number, value: number): void {
    this.#mustExist(index)
    this.#values[index] = value
  }

  /** One value; 0 beyond the end. */
  get(index: number): number {
    return index < this.#length ? this.#values[index] : 0
  }

  /** Sets a value; the column becomes as long as that takes. */
  put(index: number, value: number): void {
    this.lengthen(index + 1)
    this.#values[index] = value
  }

  /** Adds to a value, likewise. */
  add(index: number, change: number): void {
    this.put(index, this.get(index) + change)
  }

  /** The values without a copy; once the column grows it may show an older state. */
  view(): A {
    this.#isLent = true
    this.#view ??= this.#values.subarray(0, this.#length) as A
    return this.#view
  }

  /** Gives its memory back at once; it must not be used after that, nor its views. */
  release(): void {
    releaseArrays([this.#values])
  }

  #makeRoomFor(length: number): void {
    this.reserve(Math.max(length, Math.ceil(this.#values.length * 1.5), 16))
  }

  #mustExist(index: number): void {
    if (!(index >= 0 && index < this.#length))
      throw new Error(`index ${index} outside a column of ${this.#length}`)
  }
}
