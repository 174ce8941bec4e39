import { mixHash } from '#numeric/hash.ts'
import { WordPairMap } from '#numeric/word-pair-map.ts'

/**
 * Sets of groups as small integers: millions of pages share some thousands of them. Groups come as any 32
 * bits, and are small integers in the sets too.
 */
export class GroupSets {
  readonly #sets: Uint32Array[] = []
  readonly #numbers = new WordPairMap()
  readonly #groupNumbers = new Map<number, number>()

  get size(): number {
    return this.#sets.length
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
    const number = this.#sets.push(groups.map((group) => this.#groupNumber(group))) - 1
    this.#numbers.set(low, high, number)
    return number
  }

  /** The groups of a set, each by a number from 0. */
  at(number: number): Uint32Array {
    return this.#sets[number]
  }

  #groupNumber(group: number): number {
    const number = this.#groupNumbers.get(group) ?? this.#groupNumbers.size
    this.#groupNumbers.set(group, number)
    return number
  }
}
