import { eachWordIn, isIdeograph, tokenize } from '#parse/text/tokens.ts'
import type { Analyser } from './analysis.ts'

/** A stretch of a text, by UTF-16 units: start ≤ at < end. */
export type TextRange = readonly [start: number, end: number]

/** An excerpt of a page on one line. Nothing in it is escaped: that is the renderer's business. */
export interface Snippet {
  readonly text: string
  /** Where words of the query stand in `text`, in order, apart from each other. */
  readonly marks: readonly TextRange[]
  /** Whether the page says more before and after it. */
  readonly moreBefore: boolean
  readonly moreAfter: boolean
}

/** Finds a query's words in texts, by the same analysis as the index. */
interface Highlighter {
  /** Where words of the query stand in a text of a language, in order. */
  marks(text: string, language?: string): TextRange[]
  /** The excerpt that shows most of the query's words, about `length` characters long. */
  snippet(text: string, language?: string, length?: number): Snippet
}

const SNIPPET_CHARS = 200
/** Lines at least so long are sentences, shorter ones headings and menus. */
const PROSE_CHARS = 80
/** By ASCII code: 1 for letters and digits. */
const IS_WORD = Uint8Array.from({ length: 128 }, (_, code) =>
  /[a-z0-9]/i.test(String.fromCharCode(code)) ? 1 : 0,
)
/** A stretch without spaces that is longer is no word but a script without spaces. */
const LONG_WORD_CHARS = 25
const JOINS_THE_LAST = /^(?:\p{M}|[\udc00-\udfff]|\u200d)/u
const SENTENCE_END = /[.!?…。！？]["'”’)\]]*\s+|\n/g

/** Prepares a query for many texts; takes time linear in each. */
export function highlighter(query: string, analyser: Analyser): Highlighter {
  const words = analyser.queryWords(query)
  const wordNumbers = new Map(words.flatMap((forms, word) => forms.map((form) => [form, word])))
  const matchesIn = (text: string, language: string | undefined) => {
    if (words.length === 0) return []
    const readAs = analyser.readAs(language)
    const known = new Map<string, number>()
    const pairOf = (pair: string) => wordNumbers.get(tokenize(pair).join('')) ?? -1
    /** The query's word that a word of the page is a form of, or -1. Pages repeat their words: each is looked at once. */
    const wordOf = (word: string) => {
      let number = known.get(word)
      if (number === undefined) {
        const term = analyser.terms(word, readAs).find((term) => wordNumbers.has(term))
        number = term === undefined ? -1 : wordNumbers.get(term)!
        known.set(word, number)
      }
      return number
    }
    return matchedWords(text, wordOf, pairOf)
  }
  return {
    marks: (text, language) => matchesIn(text, language).map(({ start, end }) => [start, end]),
    snippet: (text, language, length = SNIPPET_CHARS) => {
      const matches = matchesIn(text, language)
      const [start, end] = windowAround(text, bestRun(text, matches, length, words.length), length)
      return excerpt(text, start, end, matches)
    },
  }
}

/** The words of a text that are words of the query; of ideographs each that stands alone or in a pair. */
function matchedWords(
  text: string,
  wordOf: (word: string) => number,
  pairOf: (pair: string) => number,
): Match[] {
  const matches: Match[] = []
  let before = -1 // where an ideograph begins that the next one may follow
  let beforeEnd = -1
  const add = (start: number, end: number, term: number) => {
    const last = matches.at(-1)
    if (last && last.end > start) matches[matches.length - 1] = { ...last, end }
    else matches.push({ start, end, term })
  }
  eachWord(text, (start, end) => {
    const word = text.slice(start, end)
    const isPart = isIdeograph(word)
    if (isPart && beforeEnd === start) {
      const pair = pairOf(text.slice(before, end))
      if (pair >= 0) add(before, end, pair)
    }
    before = isPart ? start : -1
    beforeEnd = isPart ? end : -1
    const term = wordOf(word)
    if (term >= 0) add(start, end, term)
  })
  return matches
}

/** Visits the words of a text, as `tokenize` sees them, where they stand. Most are ASCII, and found without the slow pattern. */
function eachWord(text: string, visit: (start: number, end: number) => void): void {
  const length = text.length
  for (let at = 0; at < length; at++) {
    const start = at
    let isForeign = false
    for (; at < length; at++) {
      const code = text.charCodeAt(at)
      if (code > 127) isForeign = true
      else if (IS_WORD[code] === 0) break
    }
    if (isForeign)
      eachWordIn(text.slice(start, at), (word, index) =>
        visit(start + index, start + index + word.length),
      )
    else if (at > start) visit(start, at)
  }
}

interface Match {
  readonly start: number
  readonly end: number
  readonly term: number
}

/**
 * The run of matches within `length` that is worth most, of equal ones the first. Different words count
 * before all else, then sentences before lists and menus. Repetition counts nothing: a list of links
 * repeats its subject in every line and says nothing of it.
 */
function bestRun(
  text: string,
  matches: readonly Match[],
  length: number,
  terms: number,
): TextRange {
  const counts = new Uint32Array(terms)
  const line = new LineFinder(text)
  let best: TextRange = [0, 0]
  let bestWorth = 0
  let distinct = 0
  let from = 0
  for (const [to, { end, term }] of matches.entries()) {
    if (counts[term]++ === 0) distinct++
    const canDrop = ({ start, term }: Match) => end - start > length || counts[term] > 1
    for (; from < to && canDrop(matches[from]); from++)
      if (--counts[matches[from].term] === 0) distinct--
    const { start } = matches[from]
    const isProse = line.lengthAt(start) >= PROSE_CHARS
    const isClose = end - start <= length / 2
    const worth = distinct * 4 + (isProse ? 2 : 0) + (isClose ? 1 : 0)
    if (worth <= bestWorth) continue
    bestWorth = worth
    best = [start, end]
  }
  return best
}

/** Knows how long the line is in which a place lies; places are asked for in order. */
class LineFinder {
  readonly #text: string
  #start = 0
  #end = -1

  constructor(text: string) {
    this.#text = text
  }

  lengthAt(place: number): number {
    while (this.#end < place) {
      this.#start = this.#end + 1
      const next = this.#text.indexOf('\n', this.#start)
      this.#end = next < 0 ? this.#text.length : next
    }
    return this.#end - this.#start
  }
}

/** Widens a run to about `length`: from the start of its sentence if that is near, between words. */
function windowAround(text: string, [first, last]: TextRange, length: number): TextRange {
  const slack = Math.max(0, length - (last - first))
  const earliest = Math.max(0, first - slack)
  let start = Math.max(0, first - Math.floor(slack / 3))
  if (earliest === 0 && last <= length) start = 0
  else {
    const before = text.slice(earliest, first)
    const border = [...before.matchAll(SENTENCE_END)].at(-1)
    if (border) start = earliest + border.index + border[0].length
    else start = wordBorderAfter(text, start, first)
  }
  const end = Math.min(text.length, Math.max(start + length, Math.min(last, first + length)))
  return [start, end === text.length ? end : wordBorderBefore(text, end, Math.min(last, end))]
}

/** The first place from `at` on where a word begins after a space, `most` at the latest. */
function wordBorderAfter(text: string, at: number, most: number): number {
  if (at === 0 || /\s/.test(text[at - 1])) return at
  const gap = text.slice(at, most + 1).search(/\s\S/)
  if (gap >= 0) return at + gap + 1
  return most - at < LONG_WORD_CHARS ? most : characterBorder(text, at)
}

/** The last place up to `at` where a word ends before a space, or `at` if none is left after `least`. */
function wordBorderBefore(text: string, at: number, least: number): number {
  if (/\s/.test(text[at])) return at
  const gap = /\s\S*$/.exec(text.slice(least, at))
  return gap ? least + gap.index : characterBorder(text, at)
}

/** The same place, or a little before it if it would part a character from its other half or accents. */
function characterBorder(text: string, at: number): number {
  let border = at
  while (border > 0 && border > at - 20 && JOINS_THE_LAST.test(text[border])) border--
  return border
}

function excerpt(text: string, start: number, end: number, matches: readonly Match[]): Snippet {
  const line = new OneLine()
  const marks: TextRange[] = []
  let at = start
  for (const match of matches) {
    if (match.end <= start || match.start >= end) continue
    line.add(text.slice(at, Math.max(at, match.start)))
    const from = line.text.length
    line.add(text.slice(Math.max(at, match.start), Math.min(end, match.end)))
    marks.push([from, line.text.length])
    at = Math.min(end, match.end)
  }
  line.add(text.slice(at, end))
  return {
    text: line.text.trimEnd(),
    marks,
    moreBefore: /\S/.test(text.slice(Math.max(0, start - 1000), start)),
    moreAfter: /\S/.test(text.slice(end, end + 1000)),
  }
}

/** Text in which each run of white space is one space, and none comes first. */
class OneLine {
  text = ''

  add(piece: string): void {
    const collapsed = piece.replace(/\s+/g, ' ')
    const isDouble = collapsed.startsWith(' ') && (this.text === '' || this.text.endsWith(' '))
    this.text += isDouble ? collapsed.slice(1) : collapsed
  }
}
