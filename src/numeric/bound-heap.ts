/**
 * Indices of an array in a heap by an upper bound of their value, for greedy selection where
 * values only fall (lazy greedy). Look at the top and lower its bound to its present value. If
 * it stays on top, take it.
 *
 * Invariant: no index precedes its parent at (at - 1) >> 1. The larger bound comes first; of
 * equal ones the lower index.
 */
export class BoundHeap {
  readonly #bounds: Float64Array // by place
  readonly #heap: Uint32Array

  /** Takes over `bounds`, and changes it. */
  constructor(bounds: Float64Array) {
    this.#bounds = bounds
    this.#heap = Uint32Array.from(bounds, (_, place) => place)
    for (let at = (bounds.length >> 1) - 1; at >= 0; at--) this.#sink(at)
  }

  get top(): number {
    return this.#heap[0]
  }

  /** The largest bound; -1 if there is nothing. */
  get bound(): number {
    return this.#heap.length === 0 ? -1 : this.#bounds[this.#heap[0]]
  }

  /** Gives the top place a lower bound, and puts it where that belongs. */
  lower(bound: number): void {
    this.#bounds[this.#heap[0]] = bound
    this.#sink(0)
  }

  #sink(from: number): void {
    const heap = this.#heap
    const bounds = this.#bounds
    const place = heap[from]
    const bound = bounds[place]
    let at = from
    for (;;) {
      let child = 2 * at + 1
      if (child >= heap.length) break
      if (child + 1 < heap.length && this.#precedes(heap[child + 1], heap[child])) child++
      const other = heap[child]
      if (bounds[other] < bound || (bounds[other] === bound && other > place)) break
      heap[at] = other
      at = child
    }
    heap[at] = place
  }

  #precedes(a: number, b: number): boolean {
    return this.#bounds[a] > this.#bounds[b] || (this.#bounds[a] === this.#bounds[b] && a < b)
  }
}
