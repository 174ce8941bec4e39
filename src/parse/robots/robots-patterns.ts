import { MAX_URL_CHARS } from '../url/canonical-url.ts'
import { normalizePercentEncoding } from '../url/percent-encoding.ts'
import { PrefixTree } from './prefix-tree.ts'
import { PathTrial, type WildcardRule, WildcardRules } from './wildcard-rules.ts'

/** A line of robots.txt that holds for the URLs its pattern matches. */
export interface PatternLine {
  /** As written. */
  readonly pattern: string
  /** True for a line that allows: it wins over others of its length, and is left out in case of doubt. */
  readonly allow: boolean
}

/** Lines of a group, by their order in the file. */
export interface Lines<Line> {
  readonly length: number
  at(order: number): Line | undefined
}

/** What is beyond this is not read: no URL is that long. */
export const MAX_PATTERN_CHARS: number = 2 * MAX_URL_CHARS
/** So many lines of a group with stars within them are tried; people write dozens, programs hundreds. */
const MAX_WILDCARDS = 4_096
/** More than a group has lines. */
const MAX_LINES = 2 ** 20

/**
 * The rules of a group, prepared for matching paths. One question takes a bounded number of
 * steps, whatever the rules: plain patterns are found in a tree, patterns with stars by the text
 * before the first star. In a file beyond the limits, a Disallow holds for all that begins as it
 * does up to its first star, and an Allow for nothing.
 */
export class RobotsPatterns<Line extends PatternLine> {
  /** In their order. */
  readonly lines: PackedLines<Line>
  /** A pattern that holds for one path alone ends in `$` here, as does every path that is looked up: no path has one. */
  readonly #tree: PrefixTree
  /** By number of prefix: the rank of the best line that holds for all paths that begin so; 0 for none. */
  readonly #ranks: Float64Array
  /** Lines that begin so and go on with a star, if any do. */
  readonly #wildcards: WildcardRules | undefined

  constructor(written: readonly string[], read: (written: string) => Line) {
    const shared = new SharedText(written)
    const places = new Map<string, number>()
    const plain = new Map<string, number>()
    const wildcards = new Map<string, WildcardRule[]>()
    let room = MAX_WILDCARDS
    for (const [order, line] of written.entries()) {
      const { pattern, allow } = read(line)
      const rule = ruleOf(pattern, allow, order)
      if (!rule) continue
      const star = rule.pattern.indexOf('*')
      const end = star >= 0 ? star : rule.pattern.length
      const prefix = rule.pattern.slice(0, end) + (star < 0 && rule.toTheEnd ? '$' : '')
      const isTried = star >= 0 && room-- > 0
      if (star >= 0 && !isTried && allow) continue
      if (!places.has(prefix)) places.set(prefix, shared.placeOf(prefix, order))
      if (isTried) {
        const rest = rule.pattern.slice(star)
        const tried = { ...rule, rest, restAt: shared.placeOf(rest, order) }
        const others = wildcards.get(prefix)
        if (others) others.push(tried)
        else wildcards.set(prefix, [tried])
      } else if (rule.rank > (plain.get(prefix) ?? 0)) plain.set(prefix, rule.rank)
    }
    const text = shared.toString()
    this.lines = new PackedLines(text, shared.ends, read)
    this.#tree = new PrefixTree(places, text)
    const { parents, size } = this.#tree
    this.#ranks = new Float64Array(size)
    for (let i = 0; i < size; i++) {
      const inherited = parents[i] < 0 ? 0 : this.#ranks[parents[i]]
      this.#ranks[i] = Math.max(plain.get(this.#tree.prefixAt(i)) ?? 0, inherited)
    }
    if (wildcards.size === 0) return
    const byPrefix = Array.from({ length: size }, (_, i) => wildcards.get(this.#tree.prefixAt(i)))
    this.#wildcards = new WildcardRules(byPrefix, text)
  }

  get isEmpty(): boolean {
    return this.#tree.size === 0
  }

  /** The line that decides on a path, if any does. */
  find(path: string): Line | undefined {
    const { parents } = this.#tree
    const longest = this.#tree.longestOf(`${path}$`)
    let best = longest < 0 ? 0 : this.#ranks[longest]
    if (this.#wildcards) {
      const trial = new PathTrial(path)
      for (let prefix = longest; prefix >= 0; prefix = parents[prefix]) {
        const found = this.#wildcards.bestRank(prefix, this.#tree.lengthOf(prefix), trial, best)
        best = Math.max(best, found)
      }
    }
    return best === 0 ? undefined : this.lines.at(orderOf(best))
  }
}

interface Rule {
  /** Normalised; no two stars follow each other, and none is at the end. */
  readonly pattern: string
  /** It ended in `$`. */
  readonly toTheEnd: boolean
  readonly allow: boolean
  /** Of all that fit, the highest decides. */
  readonly rank: number
}

function ruleOf(written: string, allow: boolean, order: number): Rule | undefined {
  const isCut = written.length > MAX_PATTERN_CHARS
  if (isCut && allow) return undefined
  const cut = isCut ? written.slice(0, MAX_PATTERN_CHARS).replace(/%[^%]?$/, '') : written
  const toTheEnd = !isCut && cut.endsWith('$')
  // `*` keeps its meaning; a `$` elsewhere than at the end is a plain character.
  const pattern = normalizePercentEncoding(toTheEnd ? cut.slice(0, -1) : cut)
  const rank = rankOf(pattern.length + Number(toTheEnd), allow, order)
  const plain = pattern.includes('$') ? pattern.replaceAll('$', '%24') : pattern
  const collapsed = plain.includes('**') ? plain.replace(/\*+/g, '*') : plain
  // A star at the end says nothing: all that begins so fits anyway.
  return collapsed.endsWith('*')
    ? { allow, rank, pattern: collapsed.slice(0, -1), toTheEnd: false }
    : { allow, rank, pattern: collapsed, toTheEnd }
}

/** By length, then Allow, then the order of the file; never 0. */
function rankOf(length: number, allow: boolean, order: number): number {
  return (2 * length + Number(allow)) * MAX_LINES + (MAX_LINES - 1 - order)
}

function orderOf(rank: number): number {
  return MAX_LINES - 1 - (rank % MAX_LINES)
}

/** Lines as one text, each read when it is asked for: a hundred thousand objects would take ten times as much memory. */
class PackedLines<Line> {
  /** The lines one after the other, and perhaps more. */
  readonly #text: string
  /** Where each ends in the text; the next one begins there. */
  readonly #ends: Uint32Array
  readonly #read: (written: string) => Line

  constructor(text: string, ends: Uint32Array, read: (written: string) => Line) {
    this.#text = text
    this.#ends = ends
    this.#read = read
  }

  get length(): number {
    return this.#ends.length
  }

  at(order: number): Line | undefined {
    if (order >= this.length) return undefined
    return this.#read(this.#text.slice(order === 0 ? 0 : this.#ends[order - 1], this.#ends[order]))
  }
}

/** Builds one text of lines, and of what is to be found in it. */
class SharedText {
  readonly #parts: string[]
  /** Where each line ends. */
  readonly ends: Uint32Array
  #length = 0

  constructor(lines: readonly string[]) {
    this.#parts = [...lines]
    this.ends = Uint32Array.from(lines, ({ length }) => (this.#length += length))
  }

  /** Where a text stands: in this line if it is part of that, else behind all lines. */
  placeOf(text: string, line: number): number {
    const written = this.#parts[line]
    const at = written.indexOf(text)
    if (at >= 0) return this.ends[line] - written.length + at
    const place = this.#length
    this.#parts.push(text)
    this.#length += text.length
    return place
  }

  toString(): string {
    return this.#parts.join('')
  }
}
