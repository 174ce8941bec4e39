/** A line of robots.txt, made ready to be matched. */
export interface WildcardRule {
  /** True for a line that allows. */
  readonly allow: boolean
  /** Of all that fit, the highest decides. */
  readonly rank: number
  /** The pattern from its first star on; no two stars follow each other, and none is at the end. */
  readonly rest: string
  /** Where that stands in the text of all rules. */
  readonly restAt: number
  /** The pattern ended in `$`. */
  readonly toTheEnd: boolean
}

/**
 * Characters compared for one path, in all: some 50 µs. What remains undecided after them is decided on the safe side.
 */
const MAX_STEPS = 12_000

// Marks are pairs of characters, hashed, or single ones where a pattern has no pair.
const PAIRS = 4096
const SINGLES = 128
const MARKS_PER_RULE = 4
const STAR = 0x2a
const ALLOWS = 1
/** The pattern ended in `$`. */
const TO_THE_END = 2
// Per mark, the number of the last path that has it. Shared by all, so that it need not be cleared.
const lastPathWith = new Uint32Array(PAIRS + SINGLES)
let pathNumber = 0

// The characters of the path being tried: an array is read several times as fast as a string.
let codes = new Uint16Array(1024)

/**
 * A path that many wildcard patterns are tried on, with as many steps as one question may cost. Only one can be in
 * use at a time.
 */
export class PathTrial {
  readonly #path: string
  #stepsLeft = MAX_STEPS

  constructor(path: string) {
    this.#path = path
    if (path.length > codes.length) codes = new Uint16Array(2 * path.length)
    pathNumber = (pathNumber + 1) % 2 ** 32 || 1
    let before = 0
    for (let at = 0; at < path.length; at++) {
      const code = path.charCodeAt(at)
      codes[at] = code
      lastPathWith[pairMark(before, code)] = pathNumber
      lastPathWith[PAIRS + (code & (SINGLES - 1))] = pathNumber
      before = code
    }
  }

  /** True when no more patterns can be tried. */
  get isSpent(): boolean {
    return this.#stepsLeft <= 0
  }

  /** Whether text[start .. end), the rest of a pattern from its first star on, fits the path from a place on. */
  fits(text: string, start: number, end: number, from: number, toTheEnd: boolean): boolean {
    const lastStar = text.lastIndexOf('*', end - 1)
    const pathEnd = toTheEnd ? this.#path.length - (end - lastStar - 1) : this.#path.length
    if (toTheEnd && !this.#path.endsWith(text.slice(lastStar + 1, end))) return false
    let at = from
    // Each piece is taken at its first chance, which is as good as any later one; so there is nothing to go back to.
    for (let star = start; star < lastStar || (star === lastStar && !toTheEnd); ) {
      const next = star < lastStar ? text.indexOf('*', star + 1) : end
      const found = this.#find(text, star + 1, next, at, pathEnd)
      if (found < 0) return false
      at = found + next - star - 1
      star = next
    }
    return at <= pathEnd
  }

  /** Where text[first .. next) stands first in path[from .. end); -1 if it does not, or the steps are used up. */
  #find(text: string, first: number, next: number, from: number, end: number): number {
    const length = next - first
    const code = text.charCodeAt(first)
    const lastStart = end - length
    let stepsLeft = this.#stepsLeft
    let found = -1
    for (let at = from; at <= lastStart && stepsLeft > 0; at++) {
      stepsLeft--
      if (codes[at] !== code) continue
      let same = 1
      while (same < length && codes[at + same] === text.charCodeAt(first + same)) same++
      stepsLeft -= same
      if (same === length) {
        found = at
        break
      }
    }
    this.#stepsLeft = stepsLeft
    return found
  }
}

/**
 * All rules with stars of a group, by the number of what they begin with, best first. Each has marks that a matching
 * path must have: most are excluded at a glance. They are in few arrays: each by itself would take many times its text.
 */
export class WildcardRules {
  /** Rules of prefix i are firsts[i] to firsts[i + 1]. */
  readonly #firsts: Uint32Array
  readonly #text: string
  /** Where the rest of each begins and ends there. */
  readonly #starts: Uint32Array
  readonly #ends: Uint32Array
  readonly #ranks: Float64Array
  /** Bits of each. */
  readonly #kinds: Uint8Array
  readonly #marks: Uint16Array

  constructor(byPrefix: readonly (readonly WildcardRule[] | undefined)[], text: string) {
    this.#firsts = new Uint32Array(byPrefix.length + 1)
    for (const [i, some = []] of byPrefix.entries())
      this.#firsts[i + 1] = this.#firsts[i] + some.length
    const rules = byPrefix.flatMap((some = []) => some.toSorted((a, b) => b.rank - a.rank))
    this.#text = text
    this.#starts = Uint32Array.from(rules, ({ restAt }) => restAt)
    this.#ends = Uint32Array.from(rules, ({ restAt, rest }) => restAt + rest.length)
    this.#ranks = Float64Array.from(rules, ({ rank }) => rank)
    this.#kinds = Uint8Array.from(
      rules,
      ({ allow, toTheEnd }) => (allow ? ALLOWS : 0) | (toTheEnd ? TO_THE_END : 0),
    )
    this.#marks = new Uint16Array(MARKS_PER_RULE * rules.length)
    for (const [i, { rest }] of rules.entries()) this.#marks.set(marksOf(rest), MARKS_PER_RULE * i)
  }

  /**
   * The rank of the best rule of a prefix that fits, of those above this rank; when no more can be tried, of the best
   * that does not allow. 0 if there is none.
   */
  bestRank(prefix: number, prefixLength: number, trial: PathTrial, minRank: number): number {
    for (let i = this.#firsts[prefix]; i < this.#firsts[prefix + 1]; i++) {
      if (!this.#hasMarks(i)) continue
      const rank = this.#ranks[i]
      if (rank <= minRank) return 0
      if (!trial.isSpent && this.#fits(i, prefixLength, trial)) return rank
      if (trial.isSpent && (this.#kinds[i] & ALLOWS) === 0) return rank
    }
    return 0
  }

  #fits(rule: number, prefixLength: number, trial: PathTrial): boolean {
    const toTheEnd = (this.#kinds[rule] & TO_THE_END) > 0
    return trial.fits(this.#text, this.#starts[rule], this.#ends[rule], prefixLength, toTheEnd)
  }

  #hasMarks(rule: number): boolean {
    const marks = this.#marks
    const start = rule * MARKS_PER_RULE
    for (let at = start; at < start + MARKS_PER_RULE; at++)
      if (lastPathWith[marks[at]] !== pathNumber) return false
    return true
  }
}

function pairMark(first: number, second: number): number {
  return (first * 61 + second) & (PAIRS - 1)
}

/** Marks from all over the rest of a pattern; what is before its first star is known to fit. */
function marksOf(rest: string): number[] {
  const pairs: number[] = []
  const singles: number[] = []
  let before = STAR
  for (let at = 1; at < rest.length; at++) {
    const code = rest.charCodeAt(at)
    if (code !== STAR) singles.push(PAIRS + (code & (SINGLES - 1)))
    if (code !== STAR && before !== STAR) pairs.push(pairMark(before, code))
    before = code
  }
  const marks = pairs.length > 0 ? pairs : singles
  return Array.from(
    { length: MARKS_PER_RULE },
    (_, i) => marks[Math.floor((i * (marks.length - 1)) / (MARKS_PER_RULE - 1))],
  )
}
