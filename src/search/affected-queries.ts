import { type Csr, csrFromEdges } from '#numeric/csr.ts'
import { CountSheet } from './count-sheet.ts'
import type { CorpusStatistics, Scoring } from './scoring.ts'
import type { TextIndex } from './text-index.ts'

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
  /** By place: the part and its weight; in a query the lowest bound first, as search adds them up. */
  readonly #partAt: Uint32Array
  readonly #weightAt: Float64Array
  readonly #totalWeights: Float64Array
  readonly #terms: readonly number[]
  /** By place, in the order of the query: the term's slot. */
  readonly #slotAt: Uint32Array
  /** By slot of a term: the queries that have it. */
  readonly #queriesWith: Csr
  /** Parts of a slot: those from #firstPart[slot] up to #firstPart[slot + 1]. */
  readonly #firstPart: Uint32Array
  readonly #partWeights: Float64Array
  readonly #old: CountSheet
  readonly #new: CountSheet
  readonly #oldParts: Float64Array
  readonly #newParts: Float64Array
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
    this.#weightAt = new Float64Array(places)
    this.#totalWeights = new Float64Array(queries.length)
    this.#firstPart = new Uint32Array(this.#terms.length + 1)
    this.#partWeights = new Float64Array(places)
    this.#old = new CountSheet(this.#terms)
    this.#new = new CountSheet(this.#terms)
    this.#oldParts = new Float64Array(places)
    this.#newParts = new Float64Array(places)
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
        while (part < parts && this.#partWeights[part] !== weight) part++
        if (part === parts) this.#partWeights[parts++] = weight
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
      const part = this.#partOf(this.#slotAt[place], end - first)
      const weight = this.#partWeights[part]
      totalWeight += weight
      const bound = this.#scoring.bound(weight)
      let at = place
      for (; at > first && this.#scoring.bound(this.#weightAt[at - 1]) > bound; at--) {
        this.#partAt[at] = this.#partAt[at - 1]
        this.#weightAt[at] = this.#weightAt[at - 1]
      }
      this.#partAt[at] = part
      this.#weightAt[at] = weight
    }
    this.#totalWeights[query] = totalWeight
  }

  #partOf(slot: number, termCount: number): number {
    let part = this.#firstPart[slot]
    if (this.#firstPart[slot + 1] - part === 1) return part
    const pages = this.#index.pagesWith(this.#terms[slot])
    const weight = this.#scoring.weight(pages, this.#statistics, termCount)
    while (this.#partWeights[part] !== weight) part++
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
    this.#earn(this.#old, this.#oldParts)
    this.#earn(this.#new, this.#newParts)
    const affected = this.#mark(this.#new, this.#mark(this.#old, 0))
    const prior = this.#scoring.prior?.of(url) ?? 1
    for (let i = 0; i < affected; i++) {
      const query = this.queries[i]
      this.oldScores[i] = this.#scoreOf(query, this.#oldParts, prior)
      this.newScores[i] = this.#scoreOf(query, this.#newParts, prior)
      this.#isAffected[query] = 0
    }
    this.#forget(this.#old, this.#oldParts)
    this.#forget(this.#new, this.#newParts)
    return affected
  }

  #earn({ found, foundCount, counts, lengths }: CountSheet, parts: Float64Array): void {
    const scoring = this.#scoring
    const statistics = this.#statistics
    const firstPart = this.#firstPart
    const weights = this.#partWeights
    for (let i = 0; i < foundCount; i++) {
      const slot = found[i]
      const end = firstPart[slot + 1]
      for (let part = firstPart[slot]; part < end; part++)
        parts[part] = scoring.part(weights[part], counts[slot], lengths, 0, statistics)
    }
  }

  /** Lists the queries that have a word of the sheet, after those listed before; gives how many there are. */
  #mark({ found, foundCount }: CountSheet, listed: number): number {
    const { offsets, targets } = this.#queriesWith
    let count = listed
    for (let i = 0; i < foundCount; i++) {
      const end = offsets[found[i] + 1]
      for (let edge = offsets[found[i]]; edge < end; edge++) {
        const query = targets[edge]
        if (this.#isAffected[query] === 1) continue
        this.#isAffected[query] = 1
        this.queries[count++] = query
      }
    }
    return count
  }

  #scoreOf(query: number, parts: Float64Array, prior: number): number {
    let sum = 0
    let matched = 0
    const end = this.#offsets[query + 1]
    for (let place = this.#offsets[query]; place < end; place++) {
      const part = parts[this.#partAt[place]]
      if (part === 0) continue
      sum += part
      matched += this.#weightAt[place]
    }
    if (sum === 0) return 0
    return prior * this.#scoring.coverage(matched / this.#totalWeights[query]) * sum
  }

  #forget(sheet: CountSheet, parts: Float64Array): void {
    for (let i = 0; i < sheet.foundCount; i++) {
      const slot = sheet.found[i]
      const end = this.#firstPart[slot + 1]
      for (let part = this.#firstPart[slot]; part < end; part++) parts[part] = 0
    }
    sheet.clear()
  }
}
