import { GrowingColumn } from '#numeric/grow.ts'
import { type ByField, countOneMore, FIELDS } from './fields.ts'
import type { Segment } from './segment.ts'

/** Collects pages and makes a segment of them; terms come as numbers. */
export class SegmentBuilder {
  readonly #urls = new GrowingColumn(Uint32Array)
  readonly #lengths = new GrowingColumn(Uint32Array)
  readonly #postingTerms = new GrowingColumn(Uint32Array)
  readonly #postingCounts = new GrowingColumn(Uint32Array)
  readonly #pageOffsets = new GrowingColumn(Uint32Array)
  /** Counts of the page at hand, by term; 0 between pages. */
  #counts = new Uint32Array(1024)

  constructor() {
    this.#pageOffsets.push(0)
  }

  get size(): number {
    return this.#urls.length
  }

  get postingCount(): number {
    return this.#postingTerms.length
  }

  /** Takes a page in; gives its distinct terms. */
  add(url: number, terms: ByField<ArrayLike<number>>): Uint32Array {
    const first = this.#postingTerms.length
    for (let field = 0; field < FIELDS.length; field++) this.#countTerms(terms[field], field)
    const distinct = this.#postingTerms.view().subarray(first)
    for (const term of distinct) {
      this.#postingCounts.push(this.#counts[term])
      this.#counts[term] = 0
    }
    this.#urls.push(url)
    for (const fieldTerms of terms) this.#lengths.push(fieldTerms.length)
    this.#pageOffsets.push(this.#postingTerms.length)
    return distinct
  }

  /** Takes in a page that another segment had, with its counts ready. */
  addCounted(url: number, lengths: Uint32Array, terms: Uint32Array, counts: Uint32Array): void {
    this.#urls.push(url)
    this.#lengths.append(lengths)
    this.#postingTerms.append(terms)
    this.#postingCounts.append(counts)
    this.#pageOffsets.push(this.#postingTerms.length)
  }

  /** The segment of all pages taken in. */
  build(): Segment {
    const pageOffsets = this.#pageOffsets.view().slice()
    const byPage = this.#postingTerms.view()
    const { terms, rowOf } = distinctTerms(byPage)
    const rows = byPage.map((term) => rowOf[term])
    const offsets = new Uint32Array(terms.length + 1)
    for (const row of rows) offsets[row + 1]++
    for (let row = 0; row < terms.length; row++) offsets[row + 1] += offsets[row]
    const next = offsets.slice(0, -1)
    const places = new Uint32Array(rows.length)
    const counts = new Uint32Array(rows.length)
    const countsByPage = this.#postingCounts.view()
    for (let place = 0; place < this.size; place++)
      for (let i = pageOffsets[place]; i < pageOffsets[place + 1]; i++) {
        const posting = next[rows[i]]++
        places[posting] = place
        counts[posting] = countsByPage[i]
      }
    const urls = this.#urls.view().slice()
    const lengths = this.#lengths.view().slice()
    return { urls, lengths, terms, offsets, places, counts, pageOffsets, rows }
  }

  #countTerms(terms: ArrayLike<number>, field: number): void {
    for (let i = 0; i < terms.length; i++) {
      const term = terms[i]
      if (term >= this.#counts.length) this.#growCounts(term)
      if (this.#counts[term] === 0) this.#postingTerms.push(term)
      this.#counts[term] = countOneMore(this.#counts[term], field)
    }
  }

  #growCounts(term: number): void {
    const larger = new Uint32Array(Math.max(term + 1, this.#counts.length * 2))
    larger.set(this.#counts)
    this.#counts = larger
  }
}

/** The terms that occur, ascending, and the row each gets. */
function distinctTerms(postingTerms: Uint32Array): { terms: Uint32Array; rowOf: Uint32Array } {
  let last = -1
  for (const term of postingTerms) last = Math.max(last, term)
  const rowOf = new Uint32Array(last + 1)
  for (const term of postingTerms) rowOf[term] = 1
  let rows = 0
  for (let term = 0; term <= last; term++) if (rowOf[term] === 1) rowOf[term] = ++rows
  const terms = new Uint32Array(rows)
  for (let term = 0; term <= last; term++) if (rowOf[term] > 0) terms[--rowOf[term]] = term
  return { terms, rowOf }
}
