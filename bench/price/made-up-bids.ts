import { mixHash } from '#numeric/hash.ts'
import type { Keyed } from '#numeric/select/digit-counts.ts'

/** Bids of one bucket, the same each time they are asked for: kept they would take 16 GB in all. */
export class MadeUpBids {
  readonly #values: Float64Array
  readonly #first: Uint32Array
  readonly #second: Uint32Array

  constructor(size: number) {
    this.#values = new Float64Array(size)
    this.#first = new Uint32Array(size)
    this.#second = new Uint32Array(size)
  }

  /** Good until the next call. Ties are left out unless asked for. Every eighth bid has few values, as new pages often have. */
  of(bucket: number, seed: number, withTies: boolean): Keyed {
    const [values, first, second] = [this.#values, this.#first, this.#second]
    const salt = mixHash(seed, bucket)
    for (let i = 0; i < values.length; i++) {
      const word = mixHash(salt, i)
      const other = mixHash(word, i + 1)
      // Two numbers between 0 and 1, multiplied: close to one another, so that many share their first digits.
      const gain = ((word + 1) * (other + 1)) / 2 ** 64
      values[i] = i % 8 === 0 ? Math.ceil(gain * 64) / 64 : gain
    }
    if (!withTies) return { values }
    for (let i = 0; i < values.length; i++) {
      first[i] = mixHash(salt + 1, i)
      second[i] = mixHash(salt + 2, i)
    }
    return { values, first, second }
  }
}
