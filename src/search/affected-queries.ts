import { type Csr, csrFromEdges } from '#numeric/csr.ts'
import { CountSheet } from './count-sheet.ts'
import type { CorpusStatistics, Scoring } from './scoring.ts'
import type { TextIndex } from './text-index.ts'

/** A row of the table of parts: the weight, then by copy what it earns. */
const ROW = 3
const OLD = 1
const NEW = 2

/**
 * What a new copy of a page does to its score for every query that it concerns: those of whose words
 * the old or the new copy has one. Scores are, to the last bit, those that search gives with the corpus
 * as it was when last frozen: only so does the old score find its own place among the results.
 *
 * A query's terms lie from offsets[query] up to offsets[query + 1]. A `part` is what a page earns by one
 * term at one weight; queries share them.
 */
export class AffectedQueries {
  readonly #index: TextIndex
  readonly #scoring: Scoring
  readonly #queries: readonly (readonly number[])[]
  readonly #offsets: Uint32Array
  /** By place: where the part is in the table; in a query the lowest bound first, as search adds them up. */
  readonly #partAt: Uint32Array
  readonly #totalWeights: Float64Array
  readonly #terms: readonly number[]
  /** By place, in the order of the query: the term's slot. */
  readonly #slotAt: Uint32Array
  /** By slot of a term: the queries that have it. */
  readonly #queriesWith: Csr
  /** Parts of a slot: those from #firstPart[slot] up to #firstPart[slot + 1]. */
  readonly #firstPart: Uint32Array
  /** A row a part: its weight, what the old copy earns by it, what the new one does. Read together, so kept together. */
  readonly #parts: Float64Array
  readonly #old: CountSheet
  readonly #new: CountSheet
  /** By query: 1 while it is in the list of affected ones. */
  readonly #isAffected: Uint8Array
  #statistics: CorpusStatistics

  /** What `compare` found: the first so many entries of each. */
  readonly queries: Uint32Array
  readonly oldScores: Float64Array
  readonly newScores: Float64Array

  /** For queries as numbers of their terms, each once (`index.queryTerms`). */
  constructor(index: TextIndex, queries: readonly (readonly number[])[], scoring: Scoring) {
    this.#index = index
    this.#scoring = scoring
    this.#queries = queries
    this.#offsets = new Uint32Array(queries.length + 1)
    queries.forEach((terms, query) => {
      this.#offsets[query + 1] = this.#offsets[query] + terms.length
    })
    this.#terms = [...new Set(queries.flat())]
    const slotOf = new Map(this.#terms.map((term, slot) => [term, slot]))
    const places = this.#offsets[queries.length]
    this.#slotAt = Uint32Array.from(queries.flat(), (term) => slotOf.get(term)!)
    const sources = Uint32Array.from(queries.flatMap((terms, query) => terms.map(() => query)))
    this.#queriesWith = csrFromEdges(this.#terms.length, this.#slotAt, sources)
    this.#partAt = new Uint32Array(places)
    this.#totalWeights = new Float64Array(queries.length)
    this.#firstPart = new Uint32Array(this.#terms.length + 1)
    this.#parts = new Float64Array(places * ROW)
    this.#old = new CountSheet(this.#terms)
    this.#new = new CountSheet(this.#terms)
    this.#isAffected = new Uint8Array(queries.length)
    this.queries = new Uint32Array(queries.length)
    this.oldScores = new Float64Array(queries.length)
    this.newScores = new Float64Array(queries.length)
    this.#statistics = index.statistics()
    this.freeze()
  }

  /** From now on scores rest on the corpus as it is at this moment. */
  freeze(): void {
    this.#statistics = this.#index.statistics()
    this.#layOutParts()
    for (let query = 0; query < this.#queries.length; query++) this.#weigh(query)
  }

  /** One part for each weight that a term has in some query: mostly one, as few scorings ask how long a query is. */
  #layOutParts(): void {
    const { offsets, targets } = this.#queriesWith
    let parts = 0
    for (let slot = 0; slot < this.#terms.length; slot++) {
      this.#firstPart[slot] = parts
      const pages = this.#index.pagesWith(this.#terms[slot])
      let lastCount = 0
      for (let i = offsets[slot]; i < offsets[slot + 1]; i++) {
        const termCount = this.#queries[targets[i]].length
        if (termCount === lastCount) continue
        lastCount = termCount
        const weight = this.#scoring.weight(pages, this.#statistics, termCount)
        let part = this.#firstPart[slot]
        while (part < parts && this.#parts[part * ROW] !== weight) part++
        if (part === parts) this.#parts[parts++ * ROW] = weight
      }
    }
    this.#firstPart[this.#terms.length] = parts
  }
  /** What each term of a query counts now. */
  #weigh(query: number): void {
    const first = this.#offsets[query]
    const end = this.#offsets[query + 1]
    let totalWeight = 0
    for (let place = first; place < end; place++) {
      const part = this.#partOf(this.#slotAt[place], end - first) * ROW
      const weight = this.#parts[part]
      totalWeight += weight
      const bound = this.#scoring.bound(weight)
      let at = place
      for (; at > first && this.#boundAt(at - 1) > bound; at--)
        this.#partAt[at] = this.#partAt[at - 1]
      this.#partAt[at] = part
    }
    this.#totalWeights[query] = totalWeight
  }

  #boundAt(place: number): number {
    return this.#scoring.bound(this.#parts[this.#partAt[place]])
  }

  #partOf(slot: number, termCount: number): number {
    let part = this.#firstPart[slot]
    if (this.#firstPart[slot + 1] - part === 1) return part
    const pages = this.#index.pagesWith(this.#terms[slot])
    const weight = this.#scoring.weight(pages, this.#statistics, termCount)
    while (this.#parts[part * ROW] !== weight) part++
    return part
  }

  /** Remembers the copy that the index has of a page, if any: to be called before it is replaced or removed. */
  noteOld(url: number): void {
    this.#old.clear()
    this.#index.readCounts(url, this.#old)
  }

  /** Scores the copy noted and the one the index has now, if any; gives how many queries are affected. */
  compare(url: number): number {
    this.#new.clear()
    this.#index.readCounts(url, this.#new)
    this.#earn(this.#old, OLD)
    this.#earn(this.#new, NEW)
    const affected = this.#mark(this.#new, this.#mark(this.#old, 0))
    this.#score(affected, this.#scoring.prior?.of(url) ?? 1)
    this.#forget(this.#old, OLD)
    this.#forget(this.#new, NEW)
    return affected
  }

  #earn({ found, foundCount, counts, lengths }: CountSheet, copy: typeof OLD | typeof NEW): void {
    const scoring = this.#scoring
    const statistics = this.#statistics
    const firstPart = this.#firstPart
    const parts = this.#parts
    for (let i = 0; i < foundCount; i++) {
      const slot = found[i]
      const end = firstPart[slot + 1] * ROW
      for (let part = firstPart[slot] * ROW; part < end; part += ROW)
        parts[part + copy] = scoring.part(parts[part], counts[slot], lengths, 0, statistics)
    }
  }

  /** Lists the queries that have a word of the sheet, after those listed before; gives how many there are. */
  #mark({ found, foundCount }: CountSheet, listed: number): number {
    const { offsets, targets } = this.#queriesWith
    const isAffected = this.#isAffected
    const queries = this.queries
    let count = listed
    for (let i = 0; i < foundCount; i++) {
      const end = offsets[found[i] + 1]
      for (let edge = offsets[found[i]]; edge < end; edge++) {
        const query = targets[edge]
        if (isAffected[query] === 1) continue
        isAffected[query] = 1
        queries[count++] = query
      }
    }
    return count
  }

  /** The scores of both copies for the queries listed, which are listed no longer. */
  #score(affected: number, prior: number): void {
    const { queries, oldScores, newScores } = this
    const scoring = this.#scoring
    const offsets = this.#offsets
    const partAt = this.#partAt
    const parts = this.#parts
    const totalWeights = this.#totalWeights
    const isAffected = this.#isAffected
    for (let i = 0; i < affected; i++) {
      const query = queries[i]
      isAffected[query] = 0
      let oldSum = 0
      let oldMatched = 0
      let newSum = 0
      let newMatched = 0
      const end = offsets[query + 1]
      for (let place = offsets[query]; place < end; place++) {
        const part = partAt[place]
        const weight = parts[part]
        const oldPart = parts[part + OLD]
        const newPart = parts[part + NEW]
        if (oldPart !== 0) {
          oldSum += oldPart
          oldMatched += weight
        }
        if (newPart !== 0) {
          newSum += newPart
          newMatched += weight
        }
      }
      const total = totalWeights[query]
      oldScores[i] = oldSum === 0 ? 0 : prior * scoring.coverage(oldMatched / total) * oldSum
      newScores[i] = newSum === 0 ? 0 : prior * scoring.coverage(newMatched / total) * newSum
    }
  }

  #forget(sheet: CountSheet, copy: typeof OLD | typeof NEW): void {
    for (let i = 0; i < sheet.foundCount; i++) {
      const slot = sheet.found[i]
      const end = this.#firstPart[slot + 1] * ROW
      for (let part = this.#firstPart[slot] * ROW; part < end; part += ROW)
        this.#parts[part + copy] = 0
    }
    sheet.clear()
  }
}
