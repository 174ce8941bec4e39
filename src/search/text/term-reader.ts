import type { StringTable } from '#numeric/string-table.ts'

/** Of the language that most pages are in. */
export const MOST_SLOTS: number = 1 << 16
/** Units of a slot: the length of the word, then its characters. */
const SLOT_UNITS = 24

// 1 for the ASCII characters that part words.
const PARTS_WORDS = Uint8Array.from({ length: 128 }, (_, code) =>
  /[a-z0-9]/i.test(String.fromCharCode(code)) ? 0 : 1,
)

/**
 * Reads texts as numbers of terms. Words repeat, so the term of a recent word is cached: the
 * word is compared in place, without being cut out. Only others go through analysis and the
 * table of terms. What is read never depends on the cache.
 */
export class TermReader {
  readonly #termsOf: (text: string) => string[]
  readonly #table: StringTable
  readonly #words: Uint16Array
  readonly #terms: Uint32Array

  /** With `slots` for recent words, a power of two. */
  constructor(termsOf: (text: string) => string[], table: StringTable, slots = MOST_SLOTS) {
    this.#termsOf = termsOf
    this.#table = table
    this.#words = new Uint16Array(slots * SLOT_UNITS)
    this.#terms = new Uint32Array(slots)
  }

  /** The numbers of a text's terms in order; new terms get one. */
  read(text: string): number[] {
    const numbers: number[] = []
    const length = text.length
    const lastSlot = this.#terms.length - 1
    for (let at = 0; at < length; at++) {
      const start = at
      let hash = 0
      for (; at < length; at++) {
        const code = text.charCodeAt(at)
        if (code < 128 && PARTS_WORDS[code] === 1) break
        hash = Math.imul(hash ^ code, 0x5bd1e995)
      }
      if (at === start) continue
      const slot = (hash ^ (hash >>> 15)) & lastSlot
      if (isWord(this.#words, slot * SLOT_UNITS, text, start, at)) numbers.push(this.#terms[slot])
      else this.#readWord(text.slice(start, at), slot, numbers)
    }
    return numbers
  }

  /** The numbers of terms that are ready. */
  numbersOf(terms: readonly string[]): number[] {
    return terms.map((term) => this.#table.add(term))
  }

  /** Takes a slot for the word, if it fits and is one term: others may be several, or none. */
  #readWord(word: string, slot: number, numbers: number[]): void {
    const terms = this.numbersOf(this.#termsOf(word))
    for (const term of terms) numbers.push(term)
    if (terms.length !== 1 || word.length >= SLOT_UNITS) return
    const first = slot * SLOT_UNITS
    this.#words[first] = word.length
    for (let i = 0; i < word.length; i++) this.#words[first + 1 + i] = word.charCodeAt(i)
    this.#terms[slot] = terms[0]
  }
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
