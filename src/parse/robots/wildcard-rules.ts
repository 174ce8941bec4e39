import { PackedLines } from './packed-lines.ts'

/** A line of robots.txt, made ready to be matched. */
export interface WildcardRule {
  /** True for a line that allows. */
  readonly allow: boolean
  /** Of all that fit, the highest decides. */
  readonly rank: number
  /** Normalised; no two stars follow each other, and none is at the end. */
  readonly pattern: string
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

  /** Whether `rest` of a pattern, which begins with a star, fits the path from a place on. */
  fits(rest: string, from: number, toTheEnd: boolean): boolean {
    const lastStar = rest.lastIndexOf('*')
    const tail = rest.length - lastStar - 1
    const end = toTheEnd ? this.#path.length - tail : this.#path.length
    if (toTheEnd && !this.#path.endsWith(rest.slice(lastStar + 1))) return false
    let at = from
    // Each piece is taken at its first chance, which is as good as any later one; so there is nothing to go back to.
    for (let star = 0; star < lastStar || (star === lastStar && !toTheEnd); ) {
      const next = star < lastStar ? rest.indexOf('*', star + 1) : rest.length
      const found = this.#find(rest, star + 1, next, at, end)
      if (found < 0) return false
      at = found + next - star - 1
      star = next
    }
    return at <= end
  }

  /** Where rest[first .. next) stands first in path[from .. end); -1 if it does not, or the steps are used up. */
  #find(rest: string, first: number, next: number, from: number, end: number): number {
    const length = next - first
    const code = rest.charCodeAt(first)
    const lastStart = end - length
    let stepsLeft = this.#stepsLeft
    let found = -1
    for (let at = from; at <= lastStart && stepsLeft > 0; at++) {
      stepsLeft--
      if (codes[at] !== code) continue
      let same = 1
      while (same < length && codes[at + same] === rest.charCodeAt(first + same)) same++
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
 * Rules that begin alike up to their first stars, best first, each with marks that a matching path must have: most are
 * excluded at a glance.
 */
export class WildcardRules {
  /** From the first star on. */
  readonly #rests: PackedLines<string>
  readonly #prefixLength: number
  readonly #ranks: Float64Array
  /** 1 for a line that allows, and 2 more for a pattern that ended in `$`. */
  readonly #kinds: Uint8Array
  readonly #marks: Uint16Array

  constructor(rules: readonly WildcardRule[]) {
    this.#prefixLength = rules[0].pattern.indexOf('*')
    this.#rests = new PackedLines(
      rules.map(({ pattern }) => pattern.slice(this.#prefixLength)),
      (rest) => rest,
    )
    this.#ranks = Float64Array.from(rules, ({ rank }) => rank)
    this.#kinds = Uint8Array.from(
      rules,
      ({ allow, toTheEnd }) => Number(allow) + 2 * Number(toTheEnd),
    )
    this.#marks = new Uint16Array(MARKS_PER_RULE * rules.length)
    for (const [i, { pattern }] of rules.entries())
      this.#marks.set(marksOf(pattern), MARKS_PER_RULE * i)
  }

  /**
   * The rank of the best rule that fits, of those above this rank; when no more can be tried, of the best that does not
   * allow. 0 if there is none.
   */
  bestRank(trial: PathTrial, minRank: number): number {
    for (let i = 0; i < this.#ranks.length; i++) {
      if (!this.#hasMarks(i)) continue
      const rank = this.#ranks[i]
      if (rank <= minRank) return 0
      const kind = this.#kinds[i]
      const fits = () => trial.fits(this.#rests.at(i)!, this.#prefixLength, kind >= 2)
      if (!trial.isSpent && fits()) return rank
      if (trial.isSpent && (kind & 1) === 0) return rank
    }
    return 0
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

/** Marks from all over the pattern; what is before its first star is left out, as it is known to fit. */
function marksOf(pattern: string): number[] {
  const pairs: number[] = []
  const singles: number[] = []
  let before = STAR
  for (let at = pattern.indexOf('*') + 1; at < pattern.length; at++) {
    const code = pattern.charCodeAt(at)
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
