import { GrowingColumn } from '#numeric/grow.ts'
import { releaseArrays } from '#numeric/own-pages.ts'
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
  #counts: Uint32Array = new Uint32Array(1024)
  /** Its distinct terms, in the order they were met. */
  #distinct: Uint32Array = new Uint32Array(1024)

  constructor() {
    this.#pageOffsets.push(0)
  }

  /** Makes room for so many postings more, as far as is known: to grow again and again takes more. */
  expect(postings: number): void {
    for (const column of [this.#postingTerms, this.#postingCounts])
      column.reserve(this.postingCount + postings)
  }

  get size(): number {
    return this.#urls.length
  }

  get postingCount(): number {
    return this.#postingTerms.length
  }

  /** Takes a page in, with terms by which it is chosen, not found; gives its distinct terms, until the next comes. */
  add(url: number, terms: ByField<ArrayLike<number>>, labels: readonly number[] = []): Uint32Array {
    let size = 0
    for (let field = 0; field < FIELDS.length; field++)
      size = this.#countTerms(terms[field], field, size)
    size = this.#countTerms(labels, FIELDS.indexOf('url'), size)
    const distinct = this.#distinct.subarray(0, size)
    this.#postingTerms.append(distinct)
    this.#postingCounts.append(distinct.map((term) => this.#counts[term]))
    for (const term of distinct) this.#counts[term] = 0
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

  /** The segment of all pages taken in; the builder is done with, as its memory goes to the segment or is given back. */
  build(): Segment {
    const pageOffsets = this.#pageOffsets.view().slice()
    const byPage = this.#postingTerms.view()
    const { terms, rowOf } = distinctTerms(byPage)
    const rows = byPage.map((term) => rowOf[term])
    releaseArrays([this.#counts, this.#distinct, rowOf])
    this.#postingTerms.release()
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
    this.#postingCounts.release()
    const urls = this.#urls.view().slice()
    const lengths = this.#lengths.view().slice()
    return { urls, lengths, terms, offsets, places, counts, pageOffsets, rows }
  }

  /** Counts the terms of one field; `size` distinct ones were met before. */
  #countTerms(terms: ArrayLike<number>, field: number, size: number): number {
    this.#distinct = withRoomFor(this.#distinct, size + terms.length)
    for (let i = 0; i < terms.length; i++) {
      const term = terms[i]
      if (term >= this.#counts.length) this.#counts = withRoomFor(this.#counts, term + 1)
      if (this.#counts[term] === 0) this.#distinct[size++] = term
      this.#counts[term] = countOneMore(this.#counts[term], field)
    }
    return size
  }
}

function withRoomFor(values: Uint32Array, length: number): Uint32Array {
  if (length <= values.length) return values
  const larger = new Uint32Array(Math.max(length, values.length * 2))
  larger.set(values)
  return larger
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
