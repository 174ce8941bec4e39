import { mixHash } from './hash.ts'

/** Whether of two indices of equal value the first one precedes: by lower keys, or as a function says. */
export type TieBreak = (a: number, b: number) => boolean

/**
 * Indices from the largest value down, sorted only as far as somebody asks: the first k of n cost
 * about n + k log k (incremental quicksort). Equal values go as ties are broken, then by index.
 *
 * Invariant: items[0 .. sorted) are in final order. The ends on the stack fall towards its top, and
 * every item before an end precedes every item from that end on.
 */
export class LazyOrder {
  readonly #values: Float64Array
  readonly #winsTie: TieBreak
  readonly #items: Uint32Array // indices of values and ties, which stay where they are
  #ends: number[]
  #end: number
  #sorted = 0
  #given = 0

  /** Values and ties must not change as long as somebody asks. */
  constructor(values: Float64Array, ties: Uint32Array | TieBreak = (a, b) => a < b) {
    this.#values = values
    this.#winsTie = typeof ties === 'function' ? ties : lowerKey(ties)
    this.#items = new Uint32Array(values.length)
    for (let i = 0; i < values.length; i++) this.#items[i] = i
    this.#ends = [values.length]
    this.#end = values.length
  }

  /** The next index, if any is left. */
  next(): number | undefined {
    if (this.left === 0) return undefined
    while (this.#given === this.#sorted) this.#sortMore()
    return this.#items[this.#given++]
  }

  /** How many indices are still to come. */
  get left(): number {
    return this.#end - this.#given
  }

  /** Drops indices that are still to come and not wanted: cheaper than sorting them. */
  keepOnly(isWanted: (index: number) => boolean): void {
    const bounds = [this.#sorted, ...this.#ends.reverse()]
    let from = this.#given
    let size = this.#given
    const moved = bounds.map((bound) => {
      for (; from < bound; from++) {
        if (isWanted(this.#items[from])) this.#swap(size++, from)
      }
      return size
    })
    this.#sorted = moved[0]
    this.#ends = moved.slice(1).reverse()
    this.#end = size
  }

  #sortMore(): void {
    const start = this.#sorted
    const ends = this.#ends
    while (ends[ends.length - 1] - start > 24) {
      ends.push(this.#partition(start, ends[ends.length - 1]))
    }
    const end = ends.pop() as number
    for (let i = start + 1; i < end; i++) {
      for (let at = i; at > start && this.#precedes(at, at - 1); at--) this.#swap(at, at - 1)
    }
    this.#sorted = end
  }

  /** Splits a run in two, neither empty, so that the left part precedes the right one. */
  #partition(start: number, end: number): number {
    const values = this.#values
    const items = this.#items
    this.#swap(start, this.#middling(start, end))
    const item = items[start]
    const value = values[item]
    let left = start - 1
    let right = end
    for (;;) {
      do left++
      while (
        values[items[left]] > value ||
        (values[items[left]] === value && this.#winsTie(items[left], item))
      )
      do right--
      while (
        values[items[right]] < value ||
        (values[items[right]] === value && this.#winsTie(item, items[right]))
      )
      if (left >= right) return right + 1
      this.#swap(left, right)
    }
  }

  /** The median of three sampled positions, so that no common order of the input is a bad one. */
  #middling(start: number, end: number): number {
    const size = end - start
    const a = start + (mixHash(start + 1, end) % size)
    const b = start + (mixHash(start + 2, end) % size)
    const c = start + (mixHash(start + 3, end) % size)
    if (this.#precedes(a, b)) return this.#precedes(b, c) ? b : this.#precedes(a, c) ? c : a
    return this.#precedes(a, c) ? a : this.#precedes(b, c) ? c : b
  }

  /** Whether what is at one place precedes what is at another. */
  #precedes(placeA: number, placeB: number): boolean {
    const a = this.#items[placeA]
    const b = this.#items[placeB]
    if (this.#values[a] !== this.#values[b]) return this.#values[a] > this.#values[b]
    return this.#winsTie(a, b)
  }

  #swap(a: number, b: number): void {
    const item = this.#items[a]
    this.#items[a] = this.#items[b]
    this.#items[b] = item
  }
}

function lowerKey(keys: Uint32Array): TieBreak {
  return (a, b) => (keys[a] === keys[b] ? a < b : keys[a] < keys[b])
}
