/**
 * Finds the longest of many prefixes that a text begins with, in the logarithm of their number and the length of
 * the text. Prefixes are numbered in the order of the alphabet; each knows the longest other one that it begins
 * with, its parent.
 */
export class PrefixTree {
  /** Sorted, each once. */
  readonly prefixes: readonly string[]
  /** parents[i] is that of prefixes[i]; -1 for none. */
  readonly parents: Int32Array

  constructor(prefixes: Iterable<string>) {
    this.prefixes = [...prefixes].sort().filter((prefix, i, all) => prefix !== all[i - 1])
    this.parents = new Int32Array(this.prefixes.length)
    let open = -1 // the last prefix, then its parent and so on: those that the next one may begin with
    for (const [i, prefix] of this.prefixes.entries()) {
      while (open >= 0 && !prefix.startsWith(this.prefixes[open])) open = this.parents[open]
      this.parents[i] = open
      open = i
    }
  }

  /** The number of the longest prefix that the text begins with; -1 for none. All others are its ancestors. */
  longestOf(text: string): number {
    let found = this.#lastUpTo(text)
    if (found < 0) return -1
    const common = commonLength(text, this.prefixes[found])
    // Ancestors are beginnings of what was found, so their length tells whether they fit.
    while (found >= 0 && this.prefixes[found].length > common) found = this.parents[found]
    return found
  }

  /** The last prefix that is not after the text in the alphabet: it begins with all that the text begins with. */
  #lastUpTo(text: string): number {
    let low = 0
    let high = this.prefixes.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.prefixes[middle] <= text) low = middle + 1
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
