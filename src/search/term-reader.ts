import type { StringTable } from '#numeric/string-table.ts'
import type { Analyser } from './analysis.ts'

const SLOTS = 1 << 18
/** Bytes of a slot: the length of the word, then the word in UTF-8. */
const SLOT_BYTES = 24
/** Texts are read from here as UTF-8, which is far faster than asking a string for its characters. */
const SCRATCH = new Uint8Array(1 << 18)
const utf8 = new TextEncoder()

// By byte: 1 for the ASCII characters that part words.
const PARTS_WORDS = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte > 127 || /[a-z0-9]/i.test(String.fromCharCode(byte)) ? 0 : 1,
)

/**
 * Reads texts as numbers of terms. The same words come again and again, so the term of a word met
 * lately is remembered: the word is compared where it stands, without being cut out. Only others go
 * through analysis and the table of terms, so what is read never depends on what is remembered.
 */
export class TermReader {
  readonly #analyser: Analyser
  readonly #table: StringTable
  readonly #words = new Uint8Array(SLOTS * SLOT_BYTES)
  readonly #terms = new Uint32Array(SLOTS)

  constructor(analyser: Analyser, table: StringTable) {
    this.#analyser = analyser
    this.#table = table
  }

  /** The numbers of a text's terms in order; new terms get one. */
  read(text: string): number[] {
    const most = text.length * 3
    const bytes = most <= SCRATCH.length ? SCRATCH : new Uint8Array(most)
    const { written: length } = utf8.encodeInto(text, bytes)
    const words = this.#words
    const numbers: number[] = []
    let surplus = 0 // bytes before `at`, less the characters they stand for
    for (let at = 0; at < length; at++) {
      const start = at
      const startInText = at - surplus
      let hash = 0
      for (; at < length; at++) {
        const byte = bytes[at]
        if (PARTS_WORDS[byte] === 1) break
        if (byte > 127) surplus += surplusOf(byte)
        hash = Math.imul(hash ^ byte, 0x5bd1e995)
      }
      if (at === start) continue
      const slot = (hash ^ (hash >>> 15)) & (SLOTS - 1)
      if (isWord(words, slot * SLOT_BYTES, bytes, start, at)) numbers.push(this.#terms[slot])
      else {
        const terms = this.numbersOf(this.#analyser.terms(text.slice(startInText, at - surplus)))
        for (const term of terms) numbers.push(term)
        // A stretch may also be several words, or none.
        if (terms.length === 1) this.#remember(slot, bytes, start, at, terms[0])
      }
    }
    return numbers
  }

  /** The numbers of terms that are ready. */
  numbersOf(terms: readonly string[]): number[] {
    return terms.map((term) => this.#table.add(term))
  }

  #remember(slot: number, bytes: Uint8Array, start: number, end: number, term: number): void {
    if (end - start >= SLOT_BYTES) return
    const words = this.#words
    let to = slot * SLOT_BYTES
    words[to++] = end - start
    for (let at = start; at < end; at++) words[to++] = bytes[at]
    this.#terms[slot] = term
  }
}

/** What a byte beyond ASCII adds to bytes less characters: four bytes are two units of a string. */
function surplusOf(byte: number): number {
  if (byte < 0xc0) return 1
  return byte < 0xf0 ? 0 : -1
}

/** Whether a slot holds the word that stands from `start` to `end`. */
function isWord(
  words: Uint8Array,
  slotStart: number,
  bytes: Uint8Array,
  start: number,
  end: number,
): boolean {
  if (words[slotStart] !== end - start) return false
  const shift = slotStart + 1 - start
  for (let at = start; at < end; at++) if (words[at + shift] !== bytes[at]) return false
  return true
}
