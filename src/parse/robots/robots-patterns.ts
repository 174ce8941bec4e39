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
const MAX_PATTERN_CHARS = 2 * MAX_URL_CHARS
/** So many lines of a group with stars within them are tried; people write dozens, programs hundreds. */
const MAX_WILDCARDS = 4_096
/** More than a group has lines. */
const MAX_LINES = 2 ** 20

/** Its rank goes by length, then Allow, then the order of the file. */
interface Candidate extends WildcardRule {
  /** Which line it is. */
  readonly order: number
}

/**
 * The rules of a group, prepared for matching paths. One question takes a bounded number of
 * steps, whatever the rules: plain patterns are found in a tree, patterns with stars by the text
 * before the first star. In a file beyond the limits, a Disallow holds for all that begins as it
 * does up to its first star, and an Allow for nothing.
 */
export class RobotsPatterns<Line extends PatternLine> {
  readonly #lines: Lines<Line>
  readonly #tree: PrefixTree
  /** By number of prefix: the best line that holds for all paths that begin so, and its rank; 0 for none. */
  readonly #plain: Uint32Array
  readonly #plainRanks: Float64Array
  /** By number of prefix: the lines that begin so and go on with a star, the best first. */
  readonly #wildcards = new Map<number, WildcardRules<Candidate>>()
  /** Lines that hold for one path alone. */
  readonly #exact = new Map<string, Candidate>()

  constructor(lines: Lines<Line>) {
    this.#lines = lines
    const plain = new Map<string, Candidate>()
    const wildcards = new Map<string, Candidate[]>()
    let room = MAX_WILDCARDS
    for (let order = 0; order < lines.length; order++) {
      const line = lines.at(order)!
      const candidate = candidateOf(line, order)
      if (!candidate) continue
      const prefix = candidate.pieces[0]
      if (candidate.pieces.length === 1)
        keepBest(candidate.toTheEnd ? this.#exact : plain, prefix, candidate)
      else if (room-- > 0) {
        const others = wildcards.get(prefix)
        if (others) others.push(candidate)
        else wildcards.set(prefix, [candidate])
      } else if (!line.allow) keepBest(plain, prefix, candidate)
    }
    this.#tree = new PrefixTree([...plain.keys(), ...wildcards.keys()])
    const { parents, size } = this.#tree
    this.#plain = new Uint32Array(size)
    this.#plainRanks = new Float64Array(size)
    for (let i = 0; i < size; i++) {
      const prefix = this.#tree.prefixAt(i)
      const own = plain.get(prefix)
      const inherited = parents[i] < 0 ? 0 : this.#plainRanks[parents[i]]
      const isBetter = own !== undefined && own.rank > inherited
      this.#plainRanks[i] = isBetter ? own.rank : inherited
      this.#plain[i] = isBetter ? own.order : this.#plain[parents[i]]
      const rules = wildcards.get(prefix)
      if (rules) this.#wildcards.set(i, new WildcardRules(rules.sort((a, b) => b.rank - a.rank)))
    }
  }

  get isEmpty(): boolean {
    return this.#tree.size + this.#exact.size === 0
  }

  /** The line that decides on a path, if any does. */
  find(path: string): Line | undefined {
    const { parents } = this.#tree
    const longest = this.#tree.longestOf(path)
    let best = longest < 0 ? 0 : this.#plain[longest]
    let rank = longest < 0 ? 0 : this.#plainRanks[longest]
    const take = (found: Candidate | undefined) => {
      if (!found || found.rank <= rank) return
      best = found.order
      rank = found.rank
    }
    take(this.#exact.get(path))
    if (this.#wildcards.size > 0) {
      const trial = new PathTrial(path)
      for (let prefix = longest; prefix >= 0; prefix = parents[prefix])
        take(this.#wildcards.get(prefix)?.find(trial, rank))
    }
    return rank === 0 ? undefined : this.#lines.at(best)
  }
}

function candidateOf({ pattern: written, allow }: PatternLine, order: number) {
  const isCut = written.length > MAX_PATTERN_CHARS
  if (isCut && allow) return undefined
  const cut = isCut ? written.slice(0, MAX_PATTERN_CHARS).replace(/%[^%]?$/, '') : written
  const toTheEnd = !isCut && cut.endsWith('$')
  // `*` keeps its meaning; a `$` elsewhere than at the end is a plain character.
  const pattern = normalizePercentEncoding(toTheEnd ? cut.slice(0, -1) : cut)
  const length = pattern.length + Number(toTheEnd)
  const rank = (2 * length + Number(allow)) * MAX_LINES + (MAX_LINES - 1 - order)
  const plain = pattern.includes('$') ? pattern.replaceAll('$', '%24') : pattern
  const pieces = plain.includes('*') ? plain.split(/\*+/) : [plain]
  // A star at the end says nothing: all that begins so fits anyway.
  const isOpen = pieces.length > 1 && pieces[pieces.length - 1] === ''
  return isOpen
    ? { order, allow, rank, pieces: pieces.slice(0, -1), toTheEnd: false }
    : { order, allow, rank, pieces, toTheEnd }
}

function keepBest(among: Map<string, Candidate>, key: string, candidate: Candidate): void {
  const other = among.get(key)
  if (!other || candidate.rank > other.rank) among.set(key, candidate)
}
