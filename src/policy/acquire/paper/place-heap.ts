/**
 * Places of an array by its values, the largest first, of equals the lowest place. Whoever changes a
 * value says so.
 */
export class PlaceHeap {
  readonly #values: Float64Array
  readonly #heap: Uint32Array
  /** Where each place is in the heap, + 1; 0 if it is not. */
  readonly #at: Uint32Array
  #size: number

  constructor(values: Float64Array) {
    this.#values = values
    this.#heap = Uint32Array.from(values.keys())
    this.#at = this.#heap.map((place) => place + 1)
    this.#size = values.length
    for (let at = (this.#size >> 1) - 1; at >= 0; at--) this.#sink(at)
  }

  get size(): number {
    return this.#size
  }

  get first(): number {
    return this.#heap[0]
  }

  has(place: number): boolean {
    return this.#at[place] > 0
  }

  /** The value there is another than before. */
  moved(place: number): void {
    this.#sink(this.#rise(this.#at[place] - 1))
  }

  remove(place: number): void {
    const at = this.#at[place] - 1
    const last = this.#heap[--this.#size]
    this.#at[place] = 0
    if (last === place) return
    this.#put(at, last)
    this.moved(last)
  }

  #rise(from: number): number {
    let at = from
    const place = this.#heap[at]
    for (; at > 0; at = (at - 1) >> 1) {
      const parent = this.#heap[(at - 1) >> 1]
      if (!this.#isBetter(place, parent)) break
      this.#put(at, parent)
    }
    this.#put(at, place)
    return at
  }

  #sink(from: number): void {
    let at = from
    const place = this.#heap[at]
    for (;;) {
      let child = 2 * at + 1
      if (child >= this.#size) break
      if (child + 1 < this.#size && this.#isBetter(this.#heap[child + 1], this.#heap[child]))
        child++
      if (!this.#isBetter(this.#heap[child], place)) break
      this.#put(at, this.#heap[child])
      at = child
    }
    this.#put(at, place)
  }

  #put(at: number, place: number): void {
    this.#heap[at] = place
    this.#at[place] = at + 1
  }

  #isBetter(a: number, b: number): boolean {
    return this.#values[a] > this.#values[b] || (this.#values[a] === this.#values[b] && a < b)
  }
}
