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
  /** The counts of these. */
  #ownCounts: Uint32Array = new Uint32Array(1024)

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
    this.#postingCounts.append(this.#takeCounts(distinct))
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
    const rows = rowsOf(byPage, rowOf)
    releaseArrays([this.#counts, this.#distinct, this.#ownCounts, rowOf])
    this.#postingTerms.release()
    const postings = postingsByRow(pageOffsets, rows, terms.length, this.#postingCounts.view())
    this.#postingCounts.release()
    const urls = this.#urls.view().slice()
    const lengths = this.#lengths.view().slice()
    return { urls, lengths, terms, ...postings, pageOffsets, rows }
  }

  /** The counts of the page at hand, which are 0 again afterwards. */
  #takeCounts(distinct: Uint32Array): Uint32Array {
    this.#ownCounts = withRoomFor(this.#ownCounts, distinct.length)
    const [counts, own] = [this.#counts, this.#ownCounts]
    for (let i = 0; i < distinct.length; i++) {
      own[i] = counts[distinct[i]]
      counts[distinct[i]] = 0
    }
    return own.subarray(0, distinct.length)
  }

  /** Counts the terms of one field; `size` distinct ones were met before. */
  #countTerms(terms: ArrayLike<number>, field: number, size: number): number {
    this.#distinct = withRoomFor(this.#distinct, size + terms.length)
    const distinct = this.#distinct
    let counts = this.#counts
    let met = size
    for (let i = 0; i < terms.length; i++) {
      const term = terms[i]
      if (term >= counts.length) counts = this.#counts = withRoomFor(counts, term + 1)
      if (counts[term] === 0) distinct[met++] = term
      counts[term] = countOneMore(counts[term], field)
    }
    return met
  }
}

function withRoomFor(values: Uint32Array, length: number): Uint32Array {
  if (length <= values.length) return values
  const larger = new Uint32Array(Math.max(length, values.length * 2))
  larger.set(values)
  return larger
}

// These go through all postings a few times in the life of a builder, so mostly before they are compiled: what iterates
// by protocol or calls back would then make an object for each posting.

/** The terms that occur, ascending, and the row each gets. */
function distinctTerms(postingTerms: Uint32Array): { terms: Uint32Array; rowOf: Uint32Array } {
  let last = -1
  for (let i = 0; i < postingTerms.length; i++) if (postingTerms[i] > last) last = postingTerms[i]
  const rowOf = new Uint32Array(last + 1)
  for (let i = 0; i < postingTerms.length; i++) rowOf[postingTerms[i]] = 1
  let rows = 0
  for (let term = 0; term <= last; term++) if (rowOf[term] === 1) rowOf[term] = ++rows
  const terms = new Uint32Array(rows)
  for (let term = 0; term <= last; term++) if (rowOf[term] > 0) terms[--rowOf[term]] = term
  return { terms, rowOf }
}

function rowsOf(postingTerms: Uint32Array, rowOf: Uint32Array): Uint32Array {
  const rows = new Uint32Array(postingTerms.length)
  for (let i = 0; i < rows.length; i++) rows[i] = rowOf[postingTerms[i]]
  return rows
}

/** Postings by page, laid out by row. */
function postingsByRow(
  pageOffsets: Uint32Array,
  rows: Uint32Array,
  rowCount: number,
  countsByPage: Uint32Array,
): Pick<Segment, 'offsets' | 'places' | 'counts'> {
  const offsets = new Uint32Array(rowCount + 1)
  for (let i = 0; i < rows.length; i++) offsets[rows[i] + 1]++
  for (let row = 0; row < rowCount; row++) offsets[row + 1] += offsets[row]
  const next = offsets.slice(0, -1)
  const places = new Uint32Array(rows.length)
  const counts = new Uint32Array(rows.length)
  for (let place = 0; place + 1 < pageOffsets.length; place++)
    for (let i = pageOffsets[place]; i < pageOffsets[place + 1]; i++) {
      const posting = next[rows[i]]++
      places[posting] = place
      counts[posting] = countsByPage[i]
    }
  return { offsets, places, counts }
}
