import { GrowingColumn } from '#numeric/grow.ts'
import type { Lines, PatternLine } from './robots-patterns.ts'

/** Lines that follow one another in a file. */
interface RuleRange {
  readonly firstRule: number
  readonly endRule: number
}

/**
 * The Allow and Disallow lines of a file, by where their patterns stand in its text: a stranger may send a hundred
 * thousand, which would take ten times as much memory one by one.
 */
export class RuleLines {
  readonly #text: string
  readonly #starts = new GrowingColumn(Uint32Array)
  /** Twice the length of the pattern, and one more for a line that allows. */
  readonly #lengths = new GrowingColumn(Uint32Array)

  constructor(text: string) {
    this.#text = text
  }

  get length(): number {
    return this.#starts.length
  }

  /** Takes in the next line; gives how many there are. */
  add(allow: boolean, start: number, length: number): number {
    this.#lengths.push(2 * length + Number(allow))
    return this.#starts.push(start) + 1
  }

  /** Some of them as one list. */
  of(ranges: readonly RuleRange[]): Lines<PatternLine> {
    const count = ranges.reduce((sum, { firstRule, endRule }) => sum + endRule - firstRule, 0)
    const rules = new Uint32Array(count)
    let length = 0
    for (const { firstRule, endRule } of ranges)
      for (let rule = firstRule; rule < endRule; rule++) rules[length++] = rule
    return { length, at: (order) => (order < length ? this.#at(rules[order]) : undefined) }
  }

  #at(rule: number): PatternLine {
    const start = this.#starts.at(rule)
    const length = this.#lengths.at(rule)
    return { allow: length % 2 === 1, pattern: this.#text.slice(start, start + (length >> 1)) }
  }
}
