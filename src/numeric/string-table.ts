import { GrowingColumn } from './grow.ts'
import { type Hashes64, hash64, lastHash64, mixHash } from './hash.ts'
import { TextArena } from './text-arena.ts'

/** By chance no search is nearly this long, however full the table is. */
const LONGEST_SEARCH = 1_000

/**
 * Strings as small integers, numbered from 0 in the order they come. Lookup goes by 64-bit hash and
 * then compares the text itself, so two strings never share a number.
 */
export class StringTable {
  readonly #texts = new TextArena()
  readonly #places = new GrowingColumn(Uint32Array)
  readonly #low = new GrowingColumn(Uint32Array)
  readonly #high = new GrowingColumn(Uint32Array)
  // Open addressing with linear probing; holds number + 1, and 0 where a slot is free.
  #slots = new Uint32Array(64)
  /** Seed of the slot function; changed when somebody seems to know it. */
  #salt = 0
  #saltedAt = 0
  readonly #longestSearch: number

  /** A search that takes more steps than this is no accident. */
  constructor(longestSearch = LONGEST_SEARCH) {
    this.#longestSearch = longestSearch
  }

  get size(): number {
    return this.#places.length
  }

  /** The number of a string, which gets the next free one if it is new. */
  add(text: string): number {
    hash64(text)
    const low = lastHash64[0]
    const high = lastHash64[1]
    const slot = this.#slotOf(text, low, high)
    if (this.#slots[slot] > 0) return this.#slots[slot] - 1
    this.#low.push(low)
    this.#high.push(high)
    const number = this.#places.push(this.#texts.add(text))
    this.#slots[slot] = number + 1
    if (this.size > this.#slots.length * 0.7) this.#growSlots()
    return number
  }

  /** Adds strings of which none is here yet and none comes twice; cheaper, since nothing is compared. */
  addDistinct(texts: readonly string[]): void {
    while (this.size + texts.length > this.#slots.length * 0.7) this.#growSlots()
    const slots = this.#slots
    const mask = slots.length - 1
    const first = this.size
    const [low, high, places] = [0, 1, 2].map(() => new Uint32Array(texts.length))
    for (let i = 0; i < texts.length; i++) {
      hash64(texts[i])
      low[i] = lastHash64[0]
      high[i] = lastHash64[1]
      places[i] = this.#texts.add(texts[i])
      let slot = mixHash(this.#salt, low[i]) & mask
      while (slots[slot] > 0) slot = (slot + 1) & mask
      slots[slot] = first + i + 1
    }
    this.#low.append(low)
    this.#high.append(high)
    this.#places.append(places)
  }

  /** The number of a string, if it has one. */
  find(text: string): number | undefined {
    hash64(text)
    const taken = this.#slots[this.#slotOf(text, lastHash64[0], lastHash64[1])]
    return taken > 0 ? taken - 1 : undefined
  }

  at(number: number): string {
    return this.#texts.at(this.#places.at(number))
  }

  /** The two halves of every string's `hash64`, by number, without a copy. */
  hashes(): Hashes64 {
    return { low: this.#low.view(), high: this.#high.view() }
  }

  /** The slot that holds the text, or the free one where it belongs. */
  #slotOf(text: string, low: number, high: number): number {
    const slots = this.#slots
    const mask = slots.length - 1
    const first = mixHash(this.#salt, low)
    for (let step = 0; ; step++) {
      if (step === this.#longestSearch && this.#saltAnew()) return this.#slotOf(text, low, high)
      const slot = (first + step) & mask
      const number = slots[slot] - 1
      if (number < 0) return slot
      const same = this.#low.at(number) === low && this.#high.at(number) === high
      if (same && this.#texts.equals(this.#places.at(number), text)) return slot
    }
  }

  /**
   * An attacker may send texts whose hashes share a slot, so that each look-up walks past all of
   * them. Then a new salt gives all of them other slots, which cannot be known beforehand. Once
   * for each size, as equal hashes stay together whatever the salt.
   */
  #saltAnew(): boolean {
    if (this.#saltedAt === this.#slots.length) return false
    this.#saltedAt = this.#slots.length
    this.#salt = mixHash(this.#slots.length, this.size)
    this.#fillSlots(new Uint32Array(this.#slots.length))
    return true
  }

  #growSlots(): void {
    this.#fillSlots(new Uint32Array(this.#slots.length * 2))
  }

  #fillSlots(slots: Uint32Array<ArrayBuffer>): void {
    const mask = slots.length - 1
    const low = this.#low.view()
    for (let number = 0; number < low.length; number++) {
      let slot = mixHash(this.#salt, low[number]) & mask
      while (slots[slot] > 0) slot = (slot + 1) & mask
      slots[slot] = number + 1
    }
    this.#slots = slots
  }
}
