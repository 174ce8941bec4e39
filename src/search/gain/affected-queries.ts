import { FIELDS } from '../full-text/fields.ts'
import type { CorpusStatistics, Scoring } from '../full-text/scoring.ts'
import type { Segment } from '../full-text/segment.ts'
import {
  excerptOf,
  type SegmentExcerpt,
  type SlotTable,
  slotTable,
} from '../full-text/segment-excerpt.ts'
import { type Copies, NOWHERE, type TermHits, termHits } from '../full-text/term-hits.ts'
import type { Copy, QueryWords, TextIndex } from '../full-text/text-index.ts'

/**
 * How new copies of pages change their scores, for every query of which the old or the new copy
 * has a word. Scores equal, to the last bit, those that search gives with the corpus as it was
 * when last frozen: only so is the old score found among the results.
 *
 * During visits only the places of copies are noted, as these stay when a page is replaced. They
 * are read and scored afterwards all at once, which is kind to the caches. Each segment's
 * excerpt of the queries' terms is kept as long as the segment.
 *
 * A word is read in some twenty languages, so queries have many terms that no copy at hand has: a query's words
 * are weighed when the corpus is frozen, its terms are looked at as far as there are hits.
 *
 * A query's words lie from words[query] up to words[query + 1], a word's terms from places[word] up to
 * places[word + 1]. Visit v has the copies 2v and 2v + 1.
 */
export class AffectedQueries {
  readonly #index: TextIndex
  readonly #scoring: Scoring
  readonly #queries: readonly QueryWords[]
  readonly #words: Uint32Array
  readonly #places: Uint32Array
  readonly #terms: Uint32Array
  readonly #slotOf: SlotTable
  /** By place, as words have their terms: the term's slot. */
  readonly #slots: Uint32Array
  /** By slot: how many pages have the term. */
  readonly #pages: Uint32Array
  /** By word: what it counts. */
  readonly #weights: Float64Array
  /** Of the query at hand, the lowest bound first, as search adds them up: slots that have hits, and their weights. */
  #slotAt: number[] = []
  #weightAt: number[] = []
  /** By query: what all its terms count together. */
  readonly totalWeights: Float64Array
  #statistics: CorpusStatistics
  readonly #excerpts = new WeakMap<Segment, SegmentExcerpt>()

  /** Of the visits noted: their URLs and copies. */
  #urls: number[] = []
  #copies: Copies = { segments: [], places: [] }

  /** Of the visits read. */
  #hits: TermHits
  #priors = new Float64Array(0)
  /** By hit what it earns, and by slot at which weight: seldom has a term several. */
  #parts = new Float64Array(0)
  readonly #earnedAt: Float64Array
  /** By copy, for the query at hand, else 0: what it earns in all, and the weight of the terms it has. */
  #sums = new Float64Array(0)
  #matched = new Float64Array(0)
  /** By visit: 1 while it is in the list of visits that concern the query at hand. */
  #isListed = new Uint8Array(0)

  /** What `compare` found: the first so many entries of each. */
  visits = new Uint32Array(0)
  oldScores = new Float64Array(0)
  newScores = new Float64Array(0)

  /** For queries as numbers of their terms by word (`index.queryWords`). */
  constructor(index: TextIndex, queries: readonly QueryWords[], scoring: Scoring) {
    this.#index = index
    this.#scoring = scoring
    this.#queries = queries
    const words = queries.flat()
    this.#words = offsetsOf(queries)
    this.#places = offsetsOf(words)
    this.#terms = Uint32Array.from(new Set(words.flat())).sort()
    this.#slotOf = slotTable(this.#terms)
    this.#slots = Uint32Array.from(words.flat(), (term) => this.#slotOf[term])
    this.#pages = new Uint32Array(this.#terms.length)
    this.#weights = new Float64Array(words.length)
    this.totalWeights = new Float64Array(queries.length)
    this.#earnedAt = new Float64Array(this.#terms.length)
    this.#hits = termHits(this.#terms.length, this.#copies, [])
    this.#statistics = index.statistics()
    this.freeze()
  }

  /** From now on scores rest on the corpus as it is at this moment. */
  freeze(): void {
    this.#statistics = this.#index.statistics()
    this.#earnedAt.fill(Number.NaN)
    this.#index.countPagesWith(this.#terms, this.#pages)
    for (let query = 0; query < this.#queries.length; query++) this.#weigh(query)
  }

  /** What each word of a query counts now. */
  #weigh(query: number): void {
    const end = this.#words[query + 1]
    const length = end - this.#words[query]
    let totalWeight = 0
    for (let word = this.#words[query]; word < end; word++) {
      let pages = 0
      for (let place = this.#places[word]; place < this.#places[word + 1]; place++)
        pages += this.#pages[this.#slots[place]]
      const held = Math.min(pages, this.#index.size) // a page that has several forms counts as often
      this.#weights[word] = this.#scoring.weight(held, this.#statistics, length)
      totalWeight += this.#weights[word]
    }
    this.totalWeights[query] = totalWeight
  }

  /** Puts a term of the query at hand at its place among those before. */
  #placeTerm(slot: number, weight: number): void {
    const { bound } = this.#scoring
    let at = this.#slotAt.length
    for (; at > 0 && bound(this.#weightAt[at - 1]) > bound(weight); at--) {
      this.#weightAt[at] = this.#weightAt[at - 1]
      this.#slotAt[at] = this.#slotAt[at - 1]
    }
    this.#weightAt[at] = weight
    this.#slotAt[at] = slot
  }

  /** Notes the copy that the index has of a page, if any: to be called before it is replaced or removed. */
  noteOld(url: number, copy = this.#index.copyOf(url)): void {
    this.#urls.push(url)
    this.#noteCopy(copy)
  }

  /** Notes the copy that the index has now, if any: to be called next, before the index is compacted. */
  noteNew(url: number): void {
    this.#noteCopy(this.#index.copyOf(url))
  }

  #noteCopy(copy: Copy | undefined): void {
    this.#copies.segments.push(copy?.segment ?? NOWHERE)
    this.#copies.places.push(copy?.place ?? 0)
  }

  /** Reads the copies noted, before the index is compacted; gives the URLs of these visits, in order. */
  readCopies(): readonly number[] {
    this.#index.flush()
    const copies = this.#copies
    this.#hits = termHits(this.#terms.length, copies, this.#excerptsOf(copies.segments))
    const urls = this.#urls
    const { prior } = this.#scoring
    this.#priors = new Float64Array(urls.map((url) => prior?.of(url) ?? 1))
    this.#parts = new Float64Array(this.#hits.copies.length)
    this.#earnedAt.fill(Number.NaN)
    this.#sums = new Float64Array(copies.places.length)
    this.#matched = new Float64Array(copies.places.length)
    this.#isListed = new Uint8Array(urls.length)
    this.visits = new Uint32Array(urls.length)
    this.oldScores = new Float64Array(urls.length)
    this.newScores = new Float64Array(urls.length)
    this.#urls = []
    this.#copies = { segments: [], places: [] }
    return urls
  }

  /** By number of a segment, if it is named: its excerpt. */
  #excerptsOf(segments: readonly number[]): SegmentExcerpt[] {
    const excerpts: SegmentExcerpt[] = []
    for (const number of segments)
      if (number !== NOWHERE && !excerpts[number]) {
        const { segment } = this.#index.segments[number]
        excerpts[number] = this.#excerpts.get(segment) ?? excerptOf(segment, this.#slotOf)
        this.#excerpts.set(segment, excerpts[number])
      }
    return excerpts
  }

  /** Scores the copies read for a query; gives how many visits bring a score of at least `floor` to another. */
  compare(query: number, floor = 0): number {
    const { offsets } = this.#hits
    const slots = this.#slots
    this.#slotAt.length = this.#weightAt.length = 0
    for (let word = this.#words[query]; word < this.#words[query + 1]; word++) {
      const end = this.#places[word + 1]
      for (let place = this.#places[word]; place < end; place++) {
        const slot = slots[place]
        if (offsets[slot] < offsets[slot + 1]) this.#placeTerm(slot, this.#weights[word])
      }
    }
    let count = 0
    for (let i = 0; i < this.#slotAt.length; i++) {
      const slot = this.#slotAt[i]
      const weight = this.#weightAt[i]
      if (this.#earnedAt[slot] !== weight) this.#earn(slot, weight)
      count = this.#addUp(slot, weight, count)
    }
    return this.#score(query, count, floor)
  }

  #earn(slot: number, weight: number): void {
    const { offsets, copies, counts, lengths } = this.#hits
    const scoring = this.#scoring
    const statistics = this.#statistics
    const parts = this.#parts
    const end = offsets[slot + 1]
    for (let hit = offsets[slot]; hit < end; hit++) {
      const at = copies[hit] * FIELDS.length
      parts[hit] = scoring.part(weight, counts[hit], lengths, at, statistics)
    }
    this.#earnedAt[slot] = weight
  }

  /** Adds what a term earns; lists visits that have it after those listed before, and gives how many there are. */
  #addUp(slot: number, weight: number, listed: number): number {
    const { offsets, copies } = this.#hits
    const parts = this.#parts
    const sums = this.#sums
    const matched = this.#matched
    const isListed = this.#isListed
    const visits = this.visits
    const end = offsets[slot + 1]
    let count = listed
    for (let hit = offsets[slot]; hit < end; hit++) {
      if (parts[hit] === 0) continue
      const copy = copies[hit]
      sums[copy] += parts[hit]
      matched[copy] += weight
      const visit = copy >>> 1
      if (isListed[visit] === 1) continue
      isListed[visit] = 1
      visits[count++] = visit
    }
    return count
  }

  /** The scores of both copies for the visits listed, which are listed no longer; gives how many matter. */
  #score(query: number, listed: number, floor: number): number {
    const { visits, oldScores, newScores } = this
    const isListed = this.#isListed
    const totalWeight = this.totalWeights[query]
    let count = 0
    for (let i = 0; i < listed; i++) {
      const visit = visits[i]
      isListed[visit] = 0
      const oldScore = this.#scoreOf(2 * visit, totalWeight)
      const newScore = this.#scoreOf(2 * visit + 1, totalWeight)
      if (oldScore === newScore || (oldScore < floor && newScore < floor)) continue
      visits[count] = visit
      oldScores[count] = oldScore
      newScores[count++] = newScore
    }
    return count
  }

  /** The score of a copy, whose sums are 0 again afterwards. */
  #scoreOf(copy: number, totalWeight: number): number {
    const sum = this.#sums[copy]
    if (sum === 0) return 0
    const covered = this.#scoring.coverage(this.#matched[copy] / totalWeight)
    this.#sums[copy] = 0
    this.#matched[copy] = 0
    return this.#priors[copy >>> 1] * covered * sum
  }
}

/** Where each part begins when all lie one after the other, and where the last ends. */
function offsetsOf(parts: readonly (readonly unknown[])[]): Uint32Array {
  const offsets = new Uint32Array(parts.length + 1)
  parts.forEach((part, i) => {
    offsets[i + 1] = offsets[i] + part.length
  })
  return offsets
}
