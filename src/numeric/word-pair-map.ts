const EMPTY = 0xffffffff

/** A map from 64-bit keys, as two words, to numbers below 2^32 - 1; about 20 bytes an entry. */
export class WordPairMap {
  #lows = new Uint32Array(16)
  #highs = new Uint32Array(16)
  #values = new Uint32Array(16).fill(EMPTY)
  #size = 0

  get size(): number {
    return this.#size
  }

  get(low: number, high: number): number | undefined {
    const value = this.#values[this.#slotOf(low >>> 0, high >>> 0)]
    return value === EMPTY ? undefined : value
  }

  set(low: number, high: number, value: number): void {
    const slot = this.#slotOf(low >>> 0, high >>> 0)
    if (this.#values[slot] === EMPTY) this.#size++
    this.#lows[slot] = low
    this.#highs[slot] = high
    this.#values[slot] = value
    if (this.#size * 4 > this.#values.length * 3) this.#grow()
  }

  /** The slot that holds the key, or the free one where it belongs. */
  #slotOf(low: number, high: number): number {
    const mask = this.#values.length - 1
    let slot = Math.imul(low ^ Math.imul(high, 0x9e3779b1), 0x85ebca6b) >>> 7
    for (;;) {
      slot &= mask
      if (this.#values[slot] === EMPTY) return slot
      if (this.#lows[slot] === low && this.#highs[slot] === high) return slot
      slot++
    }
  }

  #grow(): void {
    const [lows, highs, values] = [this.#lows, this.#highs, this.#values]
    this.#lows = new Uint32Array(lows.length * 2)
    this.#highs = new Uint32Array(lows.length * 2)
    this.#values = new Uint32Array(lows.length * 2).fill(EMPTY)
    for (let old = 0; old < values.length; old++) {
      if (values[old] === EMPTY) continue
      const slot = this.#slotOf(lows[old], highs[old])
      this.#lows[slot] = lows[old]
      this.#highs[slot] = highs[old]
      this.#values[slot] = values[old]
    }
  }
}
