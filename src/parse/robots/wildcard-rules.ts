/** A line of robots.txt whose pattern has been cut at its stars. */
export interface WildcardRule {
  /** True for a line that allows. */
  readonly allow: boolean
  /** Of all that fit, the highest decides. */
  readonly rank: number
  /** What stands between the stars; what stands before the first one is known to fit. */
  readonly pieces: readonly string[]
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

  /** Whether a pattern, whose first piece the path begins with, fits the path. */
  fits({ pieces, toTheEnd }: WildcardRule): boolean {
    const last = pieces.length - 1
    const end = toTheEnd ? this.#path.length - pieces[last].length : this.#path.length
    if (toTheEnd && !this.#path.endsWith(pieces[last])) return false
    let at = pieces[0].length
    // Each piece is taken at its first chance, which is as good as any later one; so there is nothing to go back to.
    for (let piece = 1; piece < last || (piece === last && !toTheEnd); piece++) {
      const found = this.#find(pieces[piece], at, end)
      if (found < 0) return false
      at = found + pieces[piece].length
    }
    return at <= end
  }

  /** Where a piece stands first in path[from .. end); -1 if it does not, or the steps are used up. */
  #find(piece: string, from: number, end: number): number {
    const { length } = piece
    const first = piece.charCodeAt(0)
    const lastStart = end - length
    let stepsLeft = this.#stepsLeft
    let found = -1
    for (let at = from; at <= lastStart && stepsLeft > 0; at++) {
      stepsLeft--
      if (codes[at] !== first) continue
      let same = 1
      while (same < length && codes[at + same] === piece.charCodeAt(same)) same++
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
 * Rules, best first, each with marks that a matching path must have: most are excluded at a
 * glance.
 */
export class WildcardRules<Rule extends WildcardRule> {
  readonly #rules: readonly Rule[]
  readonly #marks: Uint16Array

  constructor(rules: readonly Rule[]) {
    this.#rules = rules
    this.#marks = Uint16Array.from(rules.flatMap(marksOf))
  }

  /** The best rule of more than this rank that fits; when no more can be tried, the best that does not allow. */
  find(trial: PathTrial, minRank: number): Rule | undefined {
    const rules = this.#rules
    for (let i = 0; i < rules.length; i++) {
      if (!this.#hasMarks(i)) continue
      const rule = rules[i]
      if (rule.rank <= minRank) return undefined
      if (!trial.isSpent && trial.fits(rule)) return rule
      if (trial.isSpent && !rule.allow) return rule
    }
    return undefined
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

/** Marks from all over the pattern; the first piece is left out, as it is known to fit. */
function marksOf({ pieces }: WildcardRule): number[] {
  const pairs: number[] = []
  const singles: number[] = []
  for (const piece of pieces.slice(1))
    for (let at = 0; at < piece.length; at++) {
      singles.push(PAIRS + (piece.charCodeAt(at) & (SINGLES - 1)))
      if (at > 0) pairs.push(pairMark(piece.charCodeAt(at - 1), piece.charCodeAt(at)))
    }
  const marks = pairs.length > 0 ? pairs : singles
  return Array.from(
    { length: MARKS_PER_RULE },
    (_, i) => marks[Math.floor((i * (marks.length - 1)) / (MARKS_PER_RULE - 1))],
  )
}
