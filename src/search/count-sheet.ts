import { FIELDS, type PackedCounts } from './fields.ts'

/**
 * How often a page has each of a few terms. A term has a slot; the sheet is filled for one page, read
 * and cleared, so that nothing is made anew for the next.
 */
export class CountSheet {
  /** A bit for each term that is looked at (`isWanted`): most are not, and so few bytes stay in the cache. */
  readonly wanted: Uint32Array
  /** By term that is looked at: its slot. */
  readonly #slotOf: Uint32Array
  /** By slot: packed counts, 0 if the page lacks the term. */
  readonly counts: Uint32Array
  /** The page's field lengths. */
  readonly lengths = new Uint32Array(FIELDS.length)
  /** The slots whose terms the page has: the first `foundCount`. */
  readonly found: Uint32Array
  foundCount = 0
  /** Room for whoever fills the sheet: which postings of a page have such terms, and one more. */
  readonly candidates: Uint32Array

  /** For terms without doublets; their places in the list are their slots. */
  constructor(terms: readonly number[]) {
    const end = terms.reduce((most, term) => Math.max(most, term + 1), 0)
    this.wanted = new Uint32Array((end + 31) >>> 5)
    this.#slotOf = new Uint32Array(end)
    terms.forEach((term, slot) => {
      this.wanted[term >>> 5] |= 1 << (term & 31)
      this.#slotOf[term] = slot
    })
    this.counts = new Uint32Array(terms.length)
    this.found = new Uint32Array(terms.length)
    this.candidates = new Uint32Array(terms.length + 1)
  }

  /** Notes the counts of a term that is looked at, once for each page. */
  note(term: number, counts: PackedCounts): void {
    const slot = this.#slotOf[term]
    this.counts[slot] = counts
    this.found[this.foundCount++] = slot
  }

  clear(): void {
    for (let i = 0; i < this.foundCount; i++) this.counts[this.found[i]] = 0
    this.foundCount = 0
  }
}

/** 1 if a term is looked at, by the bits of a sheet, else 0: to be added up, as branches here are guessed wrong. */
export function isWanted(wanted: Uint32Array, term: number): number {
  const word = term >>> 5
  return word < wanted.length ? (wanted[word] >>> (term & 31)) & 1 : 0
}
