import { mixHash } from '#numeric/hash.ts'

/** Sets of groups as small integers: millions of pages share some thousands of them. */
export class GroupSets {
  readonly #sets: Uint32Array[] = []
  readonly #numbers = new Map<number, number>()

  get size(): number {
    return this.#sets.length
  }

  /** The number of a set, from 0; the next free one if it is new. */
  add(groups: Uint32Array): number {
    const key = keyOf(groups)
    const known = this.#numbers.get(key)
    if (known !== undefined) return known
    const number = this.#sets.push(groups) - 1
    this.#numbers.set(key, number)
    return number
  }

  at(number: number): Uint32Array {
    return this.#sets[number]
  }
}

/** 53 bits, so that two sets practically never share a key. */
function keyOf(groups: Uint32Array): number {
  let low = groups.length
  let high = 0
  for (const group of groups) {
    low = mixHash(low, group)
    high = mixHash(high + 1, group)
  }
  return (high & 0x1fffff) * 0x100000000 + low
}
