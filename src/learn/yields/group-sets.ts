import { GrowingColumn } from '#numeric/grow.ts'
import { mixHash } from '#numeric/hash.ts'
import { WordPairMap } from '#numeric/word-pair-map.ts'

/**
 * Sets of groups as small integers: millions of pages share some thousands of them. Groups come as any 32
 * bits, and are small integers in the sets too.
 */
export class GroupSets {
  /** Set n has the groups from `ends[n]` to `ends[n + 1]`. */
  readonly #groups = new GrowingColumn(Uint32Array)
  readonly #ends = new GrowingColumn(Uint32Array)
  readonly #numbers = new WordPairMap()
  readonly #groupNumbers = new WordPairMap()

  constructor() {
    this.#ends.push(0)
  }

  get size(): number {
    return this.#ends.length - 1
  }

  /** The number of a set, from 0; the next free one if it is new. */
  add(groups: Uint32Array): number {
    // 64 bits, so that two sets practically never share a key.
    let low = groups.length
    let high = 0
    for (let i = 0; i < groups.length; i++) {
      low = mixHash(low, groups[i])
      high = mixHash(high + 1, groups[i])
    }
    const known = this.#numbers.get(low, high)
    if (known !== undefined) return known
    const number = this.size
    for (let i = 0; i < groups.length; i++) this.#groups.push(this.numberOf(groups[i]))
    this.#ends.push(this.#groups.length)
    this.#numbers.set(low, high, number)
    return number
  }

  /** The groups of a set, each by a number from 0. */
  at(number: number): Uint32Array {
    const ends = this.#ends.view()
    return this.#groups.view().subarray(ends[number], ends[number + 1])
  }

  /** The first group of a set that has any. */
  firstOf(number: number): number {
    return this.#groups.view()[this.#ends.view()[number]]
  }

  /** The number of a group in the sets. */
  numberOf(group: number): number {
    const known = this.#groupNumbers.get(group, 0)
    const number = known ?? this.#groupNumbers.size
    if (known === undefined) this.#groupNumbers.set(group, 0, number)
    return number
  }
}
