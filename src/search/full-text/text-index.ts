import { GrowingColumn } from '#numeric/grow.ts'
import { StringTable } from '#numeric/string-table.ts'
import type { Analyser, SearchablePage } from '../text/analysis.ts'
import { TermReaders } from '../text/term-readers.ts'
import { BestResults, type Result } from './best-results.ts'
import { allowedPlaces, type ChosenPages } from './chosen-pages.ts'
import {
  type AnchorTerms,
  countedAnchors,
  hasAnchors,
  pagesOf,
  postingsOf,
  type RenamedPage,
  releasePagesOf,
  withAnchors,
} from './counted-page.ts'
import { FIELDS } from './fields.ts'
import { isWorthMerging, mergeSegments } from './merge-segments.ts'
import { LanguageLabels, siteLabels } from './page-labels.ts'
import { type CorpusStatistics, corpusStatistics, type Scoring } from './scoring.ts'
import { type PreparedQuery, scorePage, searchSegment } from './search-segment.ts'
import type { LiveSegment, Segment } from './segment.ts'
import { SegmentBuilder } from './segment-builder.ts'

/** Pages wait in a builder until so many postings make a segment. */
const FULL_POSTINGS = 4_000_000
const NOWHERE = 0xffffffff

/** A query as numbers of terms: by word, the forms that it may have on pages, each in one word only. */
export type QueryWords = readonly (readonly number[])[]

/** Where a copy of a page lies: the number of its segment, and its place there. */
export interface Copy {
  readonly segment: number
  readonly place: number
}

/**
 * The full-text index: immutable segments, and a builder for the latest pages. Replacing a page
 * marks its old postings dead and adds new ones. Counts that scores rest on stay exact, so a
 * changed index answers as one built from scratch.
 */
export class TextIndex {
  readonly #analyser: Analyser
  readonly #terms: StringTable
  readonly #readers: TermReaders
  readonly #languages = new LanguageLabels()
  readonly #segments: LiveSegment[] = []
  #builder = new SegmentBuilder()
  readonly #pagesWithTerm = new GrowingColumn(Uint32Array)
  readonly #totalLengths = new Float64Array(FIELDS.length)
  #pages = 0
  #version = 0
  /** By URL: its segment and place; NOWHERE if not held. */
  readonly #segmentOf = new GrowingColumn(Uint32Array)
  readonly #placeOf = new GrowingColumn(Uint32Array)

  constructor(analyser: Analyser, terms = new StringTable()) {
    this.#analyser = analyser
    this.#terms = terms
    this.#readers = new TermReaders(analyser, terms)
  }

  get size(): number {
    return this.#pages
  }

  /** Incremented whenever answers may have changed; merging does not change them. */
  get version(): number {
    return this.#version
  }

  get lengths(): readonly number[] {
    return [...this.#totalLengths]
  }

  get segments(): readonly LiveSegment[] {
    return this.#segments
  }

  get analyser(): Analyser {
    return this.#analyser
  }

  get terms(): StringTable {
    return this.#terms
  }

  has(url: number): boolean {
    return url < this.#segmentOf.length && this.#segmentOf.at(url) !== NOWHERE
  }

  /** Takes a page in; if the index had it before, the new content takes its place. */
  replace(url: number, page: SearchablePage): void {
    if (this.has(url)) this.remove(url)
    const terms = this.#readers.fieldsOf(page)
    const labels = [...this.#languages.labelsOf(url, page.language), ...siteLabels(page.url)]
    this.#locate(url, this.#segments.length, this.#builder.size)
    this.#countTerms(this.#builder.add(url, terms, this.#readers.numbersOf(labels)), 1)
    terms.forEach((fieldTerms, field) => {
      this.#totalLengths[field] += fieldTerms.length
    })
    this.#countPage(1)
    if (this.#builder.postingCount >= FULL_POSTINGS) this.flush()
  }

  /**
   * Gives held pages new anchor texts; what they say themselves stays. Gives, of those that had others before, the
   * terms that are in them more or less often. Of many pages at once it is many times faster than of each.
   */
  replaceAnchors(
    anchorsOf: ReadonlyMap<number, readonly string[]>,
  ): ReadonlyMap<number, readonly number[]> {
    this.flush()
    const renamed = this.#segments.map(() => ({
      places: [] as number[],
      anchors: [] as AnchorTerms[],
    }))
    for (const [url, texts] of anchorsOf) {
      if (!this.has(url)) continue
      const [segment, place] = [this.#segmentOf.at(url), this.#placeOf.at(url)]
      const anchors = countedAnchors(this.termsOf(texts.join(' '), url))
      if (hasAnchors(this.#segments[segment].segment, place, anchors)) continue
      renamed[segment].places.push(place)
      renamed[segment].anchors.push(anchors)
    }
    const changedOf = new Map<number, readonly number[]>()
    this.#builder.expect(
      renamed.reduce(
        (sum, { places }, i) => sum + postingsOf(this.#segments[i].segment, places),
        0,
      ),
    )
    for (const [number, { places, anchors }] of renamed.entries()) {
      const live = this.#segments[number]
      const pages = pagesOf(live.segment, places)
      for (const [i, page] of pages.entries())
        changedOf.set(
          live.segment.urls[places[i]],
          this.#rename(live, places[i], withAnchors(page, anchors[i])),
        )
      releasePagesOf(pages)
    }
    return changedOf
  }

  /** Moves a page to those that wait; only words that came or went are counted. */
  #rename(live: LiveSegment, place: number, renamed: RenamedPage): readonly number[] {
    const { page, come, gone, changed } = renamed
    const url = live.segment.urls[place]
    live.alive[place] = 0
    live.aliveCount--
    for (let field = 0; field < FIELDS.length; field++)
      this.#totalLengths[field] += page.lengths[field] - live.segment.lengths[place * 4 + field]
    this.#countTerms(gone, -1)
    this.#countTerms(come, 1)
    this.#locate(url, this.#segments.length, this.#builder.size)
    this.#builder.addCounted(url, page.lengths, page.terms, page.counts)
    releasePagesOf([page])
    this.#version++
    return changed
  }

  /** Forgets a page. */
  remove(url: number): void {
    if (!this.has(url)) return
    if (this.#segmentOf.at(url) === this.#segments.length) this.flush() // it waits in the builder
    const live = this.#segments[this.#segmentOf.at(url)]
    const place = this.#placeOf.at(url)
    const { pageOffsets, rows, terms, lengths } = live.segment
    const own = rows.subarray(pageOffsets[place], pageOffsets[place + 1])
    this.#countTerms(
      own.map((row) => terms[row]),
      -1,
    )
    for (let field = 0; field < FIELDS.length; field++)
      this.#totalLengths[field] -= lengths[place * 4 + field]
    live.alive[place] = 0
    live.aliveCount--
    this.#locate(url, NOWHERE, 0)
    this.#countPage(-1)
  }

  /** Makes a segment of the pages that wait. */
  flush(): void {
    if (this.#builder.size === 0) return
    const segment = this.#builder.build()
    this.#push(segment, new Uint8Array(segment.urls.length).fill(1))
    this.#builder = new SegmentBuilder()
  }

  /** Takes a stored segment in, with the pages of it that are still alive; all if not said. */
  adopt(segment: Segment, alive = new Uint8Array(segment.urls.length).fill(1)): void {
    const { urls, lengths, terms, offsets, places } = segment
    urls.forEach((url, place) => {
      if (alive[place] === 0) return
      this.#locate(url, this.#segments.length, place)
      for (let field = 0; field < FIELDS.length; field++)
        this.#totalLengths[field] += lengths[place * 4 + field]
      this.#countPage(1)
    })
    terms.forEach((term, row) => {
      let pages = 0
      for (let posting = offsets[row]; posting < offsets[row + 1]; posting++)
        pages += alive[places[posting]]
      this.#pagesWithTerm.add(term, pages)
    })
    this.#languages.adopt(segment, this.#terms)
    this.#push(segment, alive)
  }

  #push(segment: Segment, alive: Uint8Array): void {
    const aliveCount = alive.reduce((sum, flag) => sum + flag, 0)
    this.#segments.push({ segment, alive, aliveCount })
  }

  /** Merges small segments, so that there are never many; gives whether anything changed. */
  compact(): boolean {
    this.flush()
    const start = this.#segments.findIndex((_, i) => isWorthMerging(this.#segments.slice(i)))
    if (start < 0) return false
    const before = this.#segments.splice(start)
    const merged = mergeSegments(before)
    this.#push(merged, new Uint8Array(merged.urls.length).fill(1))
    merged.urls.forEach((url, place) => {
      this.#locate(url, this.#segments.length - 1, place)
    })
    return true
  }

  /** What scores rest on now. */
  statistics(): CorpusStatistics {
    return corpusStatistics(this.#pages, this.#totalLengths)
  }

  /** How many pages have a term. */
  pagesWith(term: number): number {
    return term < this.#pagesWithTerm.length ? this.#pagesWithTerm.at(term) : 0
  }

  /** Writes how many pages have each of these terms, in the same order: many times faster than one by one. */
  countPagesWith(terms: Uint32Array, counts: Uint32Array): void {
    const pagesWith = this.#pagesWithTerm.view()
    for (let i = 0; i < terms.length; i++)
      counts[i] = terms[i] < pagesWith.length ? pagesWith[terms[i]] : 0
  }

  /** The numbers of a text's terms, in order, as they are read in the language of a page. */
  termsOf(text: string, url: number): Uint32Array {
    return this.#readers.in(this.#analyser.readAs(this.#languages.of(url))).read(text)
  }

  /** The numbers of a query's terms by word; terms that no page has yet get one too, and answers stay the same. */
  queryWords(text: string): QueryWords {
    return this.#analyser.queryWords(text).map((forms) => this.#readers.numbersOf(forms))
  }

  /**
   * Where the copy lies that the index has of a page, if any. It stays there when the page is replaced or
   * removed, until the index is compacted; if it waits to be flushed, it will lie there.
   */
  copyOf(url: number): Copy | undefined {
    if (!this.has(url)) return undefined
    return { segment: this.#segmentOf.at(url), place: this.#placeOf.at(url) }
  }

  /** A query's terms, with what each counts under a scoring function. In a language that is said, if any. */
  prepare(
    text: string,
    scoring: Scoring,
    statistics = this.statistics(),
    language?: string,
  ): PreparedQuery {
    const pagesWith = (label: string) => this.pagesWith(this.#terms.find(label) ?? NOWHERE)
    const among = this.#languages.held(this.#analyser.languages, this.#version, pagesWith)
    const words = this.#analyser.queryWords(text, language, among)
    const known = (forms: readonly string[]) =>
      forms.flatMap((form) => this.#terms.find(form) ?? [])
    return this.prepareWords(words.map(known), scoring, statistics)
  }

  /** The same for a query as numbers of its terms by word; a word that the index never met has none. */
  prepareWords(words: QueryWords, scoring: Scoring, statistics = this.statistics()): PreparedQuery {
    const terms: number[] = []
    const weights: number[] = []
    let totalWeight = 0
    for (const forms of words) {
      const weight = scoring.weight(this.pagesWithWord(forms), statistics, words.length)
      totalWeight += weight
      for (const term of forms) {
        if (this.pagesWith(term) === 0) continue
        terms.push(term)
        weights.push(weight)
      }
    }
    return { terms, weights, totalWeight, scoring, statistics }
  }

  /** How many pages have a word in any of its forms; a page that has several counts as often. */
  pagesWithWord(forms: readonly number[]): number {
    if (forms.length === 1) return this.pagesWith(forms[0])
    return Math.min(
      this.#pages,
      forms.reduce((sum, term) => sum + this.pagesWith(term), 0),
    )
  }

  /** The best k answers, of all pages or of those that are chosen. */
  search(query: PreparedQuery, k: number, chosen?: ChosenPages): Result[] {
    return this.best(query, k, chosen).sorted()
  }

  /** The best k answers as a heap, which is not sorted; the same, but sooner, if somebody guesses what the last scores at least. */
  best(query: PreparedQuery, k: number, chosen?: ChosenPages, guess = 0): BestResults {
    this.flush()
    const best = new BestResults(k, guess)
    if (query.terms.length > 0)
      for (const { segment, alive } of this.#segments) {
        const allowed = chosen ? allowedPlaces(segment, alive, chosen, this.#terms) : alive
        searchSegment(segment, allowed, query, best)
      }
    return guess > 0 && !best.isFull ? this.best(query, k, chosen) : best
  }

  /** One page's score, by the same scoring; 0 if it is not held or does not answer. */
  scoreOf(url: number, query: PreparedQuery): number {
    if (!this.has(url)) return 0
    if (this.#segmentOf.at(url) === this.#segments.length) this.flush()
    return scorePage(this.#segments[this.#segmentOf.at(url)].segment, this.#placeOf.at(url), query)
  }

  #countPage(change: number): void {
    this.#pages += change
    this.#version++
  }

  /** Each of these terms is on so many pages more. */
  #countTerms(terms: ArrayLike<number>, change: number): void {
    this.#pagesWithTerm.lengthen(this.#terms.size)
    const pagesWith = this.#pagesWithTerm.view()
    for (let i = 0; i < terms.length; i++) pagesWith[terms[i]] += change
  }

  #locate(url: number, segment: number, place: number): void {
    this.#segmentOf.lengthen(url + 1, NOWHERE)
    this.#placeOf.lengthen(url + 1)
    this.#segmentOf.set(url, segment)
    this.#placeOf.set(url, place)
  }
}
