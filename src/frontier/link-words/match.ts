import type { GrowingRows } from '#numeric/growing-rows.ts'
import { LazyOrder } from '#numeric/lazy-order.ts'
import { Findings, WHOLE } from './findings.ts'
import {
  type AnchorPairs,
  PAIR_LINKS,
  PAIR_MARK,
  PAIR_RUN,
  PAIR_SIZE,
  PAIR_URL,
  PAIR_WORDS,
} from './pairs.ts'
import type { PreparedQuery } from './query.ts'
import type { NgramRuns } from './query-ngrams.ts'
import { SlotReader } from './reader.ts'
import { essentialGrams, type MatchRule, neededWeight } from './rule.ts'
import { type AnchorSheet, BEFORE_RUN } from './sheet.ts'

/** What addresses and links say of URLs with regard to one query; the arrays are of one length. */
export interface WordMatches {
  readonly urls: Uint32Array
  /** Share of the query's content words, weighted by idf, in any of the URL's texts. */
  readonly coverage: Float32Array
  /** Share of the query's n-grams in any of the URL's texts. */
  readonly ngramShare: Float32Array
  /** Coverage by the address alone. */
  readonly urlCoverage: Float32Array
  /** Coverage by the one anchor text that has most of it. */
  readonly bestAnchor: Float32Array
  /** Coverage by the anchor text of a link to it, mean over all its links. */
  readonly meanAnchor: Float32Array
  /** As `bestAnchor`, times the share of the anchor's words that are the query's: 1 if it says just that. */
  readonly closeness: Float32Array
  /** Links whose anchor text has any of the query's content words. */
  readonly anchorHits: Uint32Array
}

export interface MatchLimits {
  /** Keeps so many: those with most coverage, then closeness, then hits; of equals the lower numbers. */
  readonly most?: number
  /** Of equals those of lower keys, by URL, in place of numbers. */
  readonly ties?: Uint32Array
  /** 1 for each URL that may match; all may if left out. */
  readonly only?: Uint8Array
}

/** What is looked at. */
export interface MatchSources {
  readonly anchors: NgramRuns
  readonly addresses: NgramRuns
  readonly pairs: AnchorPairs
  /** For each n-gram the pairs whose anchor text holds it. */
  readonly pairsWith: GrowingRows
  /** For each n-gram the URLs whose address holds it. */
  readonly urlsWith: GrowingRows
  readonly urlCount: number
  readonly gramCount: number
  isWord(gram: number): boolean
  /** The same pairs URL by URL. */
  sheet(): AnchorSheet
}

/**
 * Items are touched this many ahead of use. Touching waits for nothing, so the machine loads
 * many from memory at once; one by one, matching took half as long again.
 */
const BLOCK = 128
/**
 * Numbers of a sheet that can be read in the time one pair takes to be found by its n-gram and
 * added.
 */
const NUMBERS_FOR_A_PAIR = 16

/** Finds the URLs that match a query, and measures how. Its buffers serve one query after another. */
export class QueryMatcher {
  readonly #findings = new Findings()
  readonly #reader = new SlotReader()
  #round = 0 // marks pairs already taken in for the query at hand
  #records: Uint32Array = new Uint32Array(0) // of pairs
  #runs: Uint32Array = new Uint32Array(0) // of anchor texts
  #isPlain = false // the query is one word, so what its texts hold of it needs no reading

  /** All URLs that match by the rule, ascending. */
  match(
    query: PreparedQuery,
    sources: MatchSources,
    rule: MatchRule,
    { only, most = Number.POSITIVE_INFINITY, ties }: MatchLimits = {},
  ): WordMatches {
    const counted = query.counted(rule)
    const needed = neededWeight(counted, rule.share)
    const essential = essentialGrams(counted, needed)
    this.#begin(query, sources, query.grams.length === 1)
    for (const gram of essential) {
      this.#takePairs(sources.pairsWith.rowOf(gram), query, true, only)
      this.#openUrls(sources.urlsWith.rowOf(gram), only)
    }
    this.#complete(query, sources, new Set(essential))
    this.#readAddresses(query, sources)
    const places = this.#best(this.#matching(query, rule, needed), query, most, ties)
    return this.#end(places, query, sources)
  }

  /** What is said of these URLs, whether they match or not; in the order given. */
  measure(query: PreparedQuery, sources: MatchSources, urls: Uint32Array): WordMatches {
    this.#begin(query, sources, false)
    const places = urls.map((url) => this.#findings.open(url))
    this.#complete(query, sources, new Set())
    this.#readAddresses(query, sources)
    return this.#end(places, query, sources)
  }

  #begin(query: PreparedQuery, sources: MatchSources, isPlain: boolean): void {
    const { urlCount, gramCount } = sources
    this.#records = sources.pairs.records()
    this.#runs = sources.anchors.layout().runs
    this.#round++
    this.#findings.begin(query.grams.length, urlCount)
    this.#reader.begin(query, gramCount)
    this.#isPlain = isPlain
    if (isPlain) this.#reader.presumeFirst(query)
  }

  #openUrls(urls: Uint32Array, only?: Uint8Array): void {
    for (let i = 0; i < urls.length; i++)
      if (only === undefined || only[urls[i]] === 1) {
        const place = this.#findings.open(urls[i])
        if (this.#isPlain) this.#findings.addAddress(place, this.#reader)
      }
  }

  /**
   * Adds the anchor texts of open URLs that hold no essential n-gram: through the remaining
   * words, or by reading all texts of these URLs, whichever is less.
   */
  #complete(query: PreparedQuery, sources: MatchSources, done: ReadonlySet<number>): void {
    const { pairsWith } = sources
    // Every n-gram begins with a word, so texts that hold any n-gram hold a word.
    const left = query.grams.filter((gram) => sources.isWord(gram) && !done.has(gram))
    const pairsOfWords = left.reduce((sum, gram) => sum + pairsWith.lengthOf(gram), 0)
    if (pairsOfWords === 0) return
    const sheet = sources.sheet()
    if (this.#lengthIn(sheet) <= NUMBERS_FOR_A_PAIR * pairsOfWords) this.#readSheet(sheet, query)
    else for (const gram of left) this.#takePairs(pairsWith.rowOf(gram), query, false)
  }

  /** How many numbers are to be read for all open URLs. */
  #lengthIn({ starts }: AnchorSheet): number {
    const { urls, size } = this.#findings
    let length = 0
    for (let place = 0; place < size; place++)
      length += starts[urls[place] + 1] - starts[urls[place]]
    return length
  }

  /** Reads all anchor texts of the open URLs, also those that were taken in before. */
  #readSheet({ starts, texts }: AnchorSheet, query: PreparedQuery): void {
    const [findings, reader] = [this.#findings, this.#reader]
    findings.startOver()
    for (let place = 0; place < findings.size; place++) {
      const url = findings.urls[place]
      const end = starts[url + 1]
      for (let at = starts[url]; at < end; at += BEFORE_RUN + 1 + texts[at + BEFORE_RUN])
        if (reader.read(texts, at + BEFORE_RUN, query))
          findings.addAnchor(place, reader, texts[at], texts[at + 1])
    }
  }

  /** Takes anchor texts into the findings of the URLs they name, if these are open or may be opened. */
  #takePairs(pairs: Uint32Array, query: PreparedQuery, opens: boolean, only?: Uint8Array): void {
    for (let start = 0; start < pairs.length; start += BLOCK) {
      const block = pairs.subarray(start, start + BLOCK)
      this.#findings.touched ^= this.#touchPairs(block)
      this.#takeBlock(block, query, opens, only)
    }
  }

  /** Reads one number of each thing that a block of pairs will need. */
  #touchPairs(pairs: Uint32Array): number {
    const [records, runs] = [this.#records, this.#runs]
    let sum = 0
    for (let i = 0; i < pairs.length; i++) sum ^= records[pairs[i] * PAIR_SIZE]
    for (let i = 0; i < pairs.length; i++) {
      const at = pairs[i] * PAIR_SIZE
      sum ^= this.#findings.placeOf(records[at + PAIR_URL])
      if (!this.#isPlain) sum ^= runs[records[at + PAIR_RUN]]
    }
    return sum
  }

  #takeBlock(pairs: Uint32Array, query: PreparedQuery, opens: boolean, only?: Uint8Array): void {
    const [findings, reader] = [this.#findings, this.#reader]
    const round = this.#round
    const isPlain = this.#isPlain
    const [records, runs] = [this.#records, this.#runs]
    for (let i = 0; i < pairs.length; i++) {
      const at = pairs[i] * PAIR_SIZE
      const links = records[at + PAIR_LINKS]
      if (links === 0 || records[at + PAIR_MARK] === round) continue
      const url = records[at + PAIR_URL]
      if (only !== undefined && only[url] !== 1) continue
      const place = opens ? findings.open(url) : findings.placeOf(url)
      if (place < 0) continue
      records[at + PAIR_MARK] = round
      if (isPlain || reader.read(runs, records[at + PAIR_RUN], query))
        findings.addAnchor(place, reader, links, records[at + PAIR_WORDS])
    }
  }

  #readAddresses(query: PreparedQuery, { addresses }: MatchSources): void {
    if (this.#isPlain) return // that the address has it is why the URL was opened
    const { urls, size } = this.#findings
    const { places, runs } = addresses.layout()
    let touched = 0
    for (let start = 0; start < size; start += BLOCK) {
      const end = Math.min(size, start + BLOCK)
      for (let place = start; place < end; place++) touched ^= runs[places[urls[place]]]
      for (let place = start; place < end; place++)
        if (this.#reader.read(runs, places[urls[place]] - 1, query))
          this.#findings.addAddress(place, this.#reader)
    }
    this.#findings.touched ^= touched
  }

  /** Places that fulfil the rule. */
  #matching(query: PreparedQuery, rule: MatchRule, needed: number): Uint32Array {
    const { found, stride, size } = this.#findings
    const matching = new Uint32Array(size)
    let count = 0
    for (let place = 0; place < size; place++)
      if (query.weightOf(rule, found, place * stride) >= needed) matching[count++] = place
    return matching.subarray(0, count)
  }

  /** The best of these places, by ascending URL. */
  #best(
    places: Uint32Array,
    query: PreparedQuery,
    most: number,
    ties: Uint32Array | undefined,
  ): Uint32Array {
    const { urls, found, stride, closeness, hits } = this.#findings
    const urlsOf = (some: Uint32Array) => some.map((place) => urls[place])
    const inOrder = (some: Uint32Array) =>
      urlsOf(some)
        .sort()
        .map((url) => this.#findings.placeOf(url))
    if (places.length <= most) return inOrder(places)
    const values = new Float64Array(places.length)
    for (let i = 0; i < places.length; i++) {
      const share = query.shareOf(found, places[i] * stride)
      const close = Math.round(closeness[places[i]] * 1023)
      values[i] = (share * 1024 + close) * 2 ** 22 + Math.min(hits[places[i]], 2 ** 22 - 1)
    }
    const keys = urlsOf(places)
    const order = new LazyOrder(values, ties ? keys.map((url) => ties[url]) : keys)
    const kept = new Uint32Array(most)
    for (let i = 0; i < most; i++) kept[i] = places[order.next()!]
    return inOrder(kept)
  }

  #end(places: Uint32Array, query: PreparedQuery, { pairs }: MatchSources): WordMatches {
    this.#records = this.#runs = new Uint32Array(0) // so that old columns are freed when they grow
    const { urls, found, hits, best, urlShare, said, closeness, stride } = this.#findings
    const matches = {
      urls: places.map((place) => urls[place]),
      coverage: new Float32Array(places.length),
      ngramShare: new Float32Array(places.length),
      urlCoverage: new Float32Array(places.length),
      bestAnchor: new Float32Array(places.length),
      meanAnchor: new Float32Array(places.length),
      closeness: new Float32Array(places.length),
      anchorHits: new Uint32Array(places.length),
    }
    for (let i = 0; i < places.length; i++) {
      const place = places[i]
      matches.coverage[i] = query.coverageOf(found, place * stride)
      matches.ngramShare[i] = query.ngramShareOf(found, place * stride)
      matches.urlCoverage[i] = urlShare[place] / WHOLE
      matches.bestAnchor[i] = best[place] / WHOLE
      matches.meanAnchor[i] = said[place] / WHOLE / Math.max(1, pairs.linksTo(urls[place]))
      matches.closeness[i] = closeness[place]
      matches.anchorHits[i] = hits[place]
    }
    return matches
  }
}
