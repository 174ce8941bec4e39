import type { StringTable } from '#numeric/string-table.ts'

const FIRST_TERMS = 256

/** Numbers of terms as they are read; what a long text needed is kept for those that follow. */
export class TermList {
  #values: Uint32Array = new Uint32Array(FIRST_TERMS)
  #length = 0

  push(term: number): void {
    const length = this.#length
    if (length === this.#values.length) {
      const larger = new Uint32Array(2 * length)
      larger.set(this.#values)
      this.#values = larger
    }
    this.#values[length] = term
    this.#length = length + 1
  }

  clear(): void {
    this.#length = 0
  }

  /** What was pushed, without a copy: until something else is. */
  view(): Uint32Array {
    return this.#values.subarray(0, this.#length)
  }
}

/** Of the language that most pages are in. */
export const MOST_SLOTS: number = 1 << 16
/** Letters and digits of ASCII as numbers from 1 on; 0 for what parts words. */
const DIGITS = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code)
  return /[a-z0-9]/i.test(character) ? Number.parseInt(character, 36) + 1 + capital(character) : 0
})
/** So many of them fit two numbers, so that words are told apart without a look at each letter. */
const SHORT_CHARS = 10
const DIGIT_BITS = 6
const HALF = 2 ** 30 - 1
/** Numbers of a slot for short words: both halves of the word, and its term. */
const SHORT_SIZE = 4
/** There are so many times fewer slots for other words. */
const SHORT_SHARE = 4
/** Units of a slot for other words: the length of the word, then its characters. */
const SLOT_UNITS = 24

/**
 * Reads texts as numbers of terms. Words repeat, so the term of a recent word is cached: the
 * word is compared in place, without being cut out. Only others go through analysis and the
 * table of terms. What is read never depends on the cache.
 */
export class TermReader {
  readonly #termsOf: (text: string) => string[]
  readonly #table: StringTable
  readonly #short: Int32Array
  readonly #words: Uint16Array
  /** Of other words: dashes and bullets have none, and `don’t` has two. */
  readonly #terms: (readonly number[])[]

  /** With `slots` for recent words, a power of two. */
  constructor(termsOf: (text: string) => string[], table: StringTable, slots = MOST_SLOTS) {
    this.#termsOf = termsOf
    this.#table = table
    this.#short = new Int32Array(slots * SHORT_SIZE)
    const others = Math.max(1, slots / SHORT_SHARE)
    this.#words = new Uint16Array(others * SLOT_UNITS)
    this.#terms = new Array(others).fill([])
  }

  /** The numbers of a text's terms in order, in a list that is used again; new terms get one. */
  read(text: string, numbers: TermList = new TermList()): Uint32Array {
    numbers.clear()
    const length = text.length
    const short = this.#short
    const lastSlot = short.length / SHORT_SIZE - 1
    for (let at = 0; at < length; at++) {
      const start = at
      let low = 0
      let high = 0
      let isForeign = 0
      for (; at < length; at++) {
        const code = text.charCodeAt(at)
        const digit = code < 128 ? DIGITS[code] : 64
        if (digit === 0) break
        isForeign |= digit & 64
        high = (high << DIGIT_BITS) | (low >>> 24)
        low = ((low << DIGIT_BITS) & HALF) | (digit & 63)
      }
      if (at === start) continue
      if (isForeign !== 0 || at - start > SHORT_CHARS) {
        this.#readOther(text, start, at, numbers)
        continue
      }
      const hash = Math.imul(low, 0x5bd1e995) ^ Math.imul(high, 0x297a2d39)
      const slot = ((hash ^ (hash >>> 15)) & lastSlot) * SHORT_SIZE
      if (short[slot] === low && short[slot + 1] === high) numbers.push(short[slot + 2])
      else {
        const terms = this.#analyse(text.slice(start, at), numbers)
        if (terms.length !== 1) continue
        short[slot] = low
        short[slot + 1] = high
        short[slot + 2] = terms[0]
      }
    }
    return numbers.view()
  }

  /** The numbers of terms that are ready. */
  numbersOf(terms: readonly string[]): number[] {
    return terms.map((term) => this.#table.add(term))
  }

  /** Reads a word that is long, or has letters beyond ASCII. */
  #readOther(text: string, start: number, end: number, numbers: TermList): void {
    let hash = 0
    for (let at = start; at < end; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x5bd1e995)
    const slot = (hash ^ (hash >>> 15)) & (this.#terms.length - 1)
    const first = slot * SLOT_UNITS
    if (isWord(this.#words, first, text, start, end)) {
      for (const term of this.#terms[slot]) numbers.push(term)
      return
    }
    const word = text.slice(start, end)
    const terms = this.#analyse(word, numbers)
    if (word.length >= SLOT_UNITS) return
    this.#words[first] = word.length
    for (let i = 0; i < word.length; i++) this.#words[first + 1 + i] = word.charCodeAt(i)
    this.#terms[slot] = terms
  }

  /** Adds the terms of a word that is not cached, and gives them. */
  #analyse(word: string, numbers: TermList): number[] {
    const terms = this.numbersOf(this.#termsOf(word))
    for (const term of terms) numbers.push(term)
    return terms
  }
}

/** Capital letters come behind all others. */
function capital(character: string): number {
  return /[A-Z]/.test(character) ? 26 : 0
}

/** Whether a slot holds the word that stands in a text from `start` to `end`. */
function isWord(
  words: Uint16Array,
  first: number,
  text: string,
  start: number,
  end: number,
): boolean {
  if (words[first] !== end - start) return false
  const shift = first + 1 - start
  for (let at = start; at < end; at++) if (words[at + shift] !== text.charCodeAt(at)) return false
  return true
}
