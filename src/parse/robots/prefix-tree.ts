/**
 * Finds the longest of many prefixes that a text begins with, in the logarithm of their number and the length of
 * the text. Prefixes are numbered in the order of the alphabet; each knows the longest other one that it begins
 * with, its parent. They are places in one text: so many strings would take many times their characters.
 */
export class PrefixTree {
  readonly #text: string
  readonly #starts: Uint32Array
  readonly #lengths: Uint16Array
  /** parents[i] is that of prefix i; -1 for none. */
  readonly parents: Int32Array

  /** Prefixes of less than 64 Ki characters, and where each begins in the text. */
  constructor(places: ReadonlyMap<string, number>, text: string) {
    const sorted = [...places.keys()].sort()
    this.#text = text
    this.#starts = Uint32Array.from(sorted, (prefix) => places.get(prefix)!)
    this.#lengths = Uint16Array.from(sorted, ({ length }) => length)
    this.parents = new Int32Array(sorted.length)
    let open = -1 // the last prefix, then its parent and so on: those that the next one may begin with
    for (const [i, prefix] of sorted.entries()) {
      while (open >= 0 && !prefix.startsWith(sorted[open])) open = this.parents[open]
      this.parents[i] = open
      open = i
    }
  }

  get size(): number {
    return this.parents.length
  }

  /** In the order of the alphabet. */
  prefixAt(number: number): string {
    const start = this.#starts[number]
    return this.#text.slice(start, start + this.#lengths[number])
  }

  /** The number of the longest prefix that the text begins with; -1 for none. All others are its ancestors. */
  longestOf(text: string): number {
    let found = this.#lastUpTo(text)
    if (found < 0) return -1
    const common = commonLength(text, this.prefixAt(found))
    // Ancestors are beginnings of what was found, so their length tells whether they fit.
    while (found >= 0 && this.lengthOf(found) > common) found = this.parents[found]
    return found
  }

  lengthOf(number: number): number {
    return this.#lengths[number]
  }

  /** The last prefix that is not after the text in the alphabet: it begins with all that the text begins with. */
  #lastUpTo(text: string): number {
    let low = 0
    let high = this.size
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.prefixAt(middle) <= text) low = middle + 1
      else high = middle
    }
    return low - 1
  }
}

function commonLength(a: string, b: string): number {
  const end = Math.min(a.length, b.length)
  let same = 0
  while (same < end && a.charCodeAt(same) === b.charCodeAt(same)) same++
  return same
}
