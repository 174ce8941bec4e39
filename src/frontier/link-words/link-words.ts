import { GrowingColumn } from '#numeric/grow.ts'
import { GrowingRows } from '#numeric/growing-rows.ts'
import type { StringTable } from '#numeric/string-table.ts'
import { isFunctionWord } from '#parse/language/function-words.ts'
import type { Analyser } from '#search/text/analysis.ts'
import type { LinkRow } from '../links/link-store.ts'
import type { UrlTable } from '../urls/url-table.ts'
import { type MatchLimits, type MatchSources, QueryMatcher, type WordMatches } from './match.ts'
import {
  AnchorPairs,
  PAIR_ANCHOR,
  PAIR_LINKS,
  PAIR_RUN,
  PAIR_SIZE,
  PAIR_SOURCES,
  PAIR_URL,
  PAIR_WORDS,
} from './pairs.ts'
import { PreparedQuery, type TextCounts } from './query.ts'
import { NgramRuns, QueryNgrams } from './query-ngrams.ts'
import { type MatchRule, matchesByCoverage } from './rule.ts'
import { type AnchorSheet, writeSheet } from './sheet.ts'

/** How many texts speak of URLs, and by n-gram how many of these hold it: counts of several crawls can be added. */
export interface CountedTexts {
  readonly texts: number
  readonly textsWith: readonly number[]
}

/** What is known of a URL without fetching it, for people to read. */
export interface UrlStrings {
  readonly address: string
  /** Its words, as search sees them. */
  readonly addressWords: readonly string[]
  /** What links call it, the most frequent first. */
  readonly anchors: readonly {
    readonly text: string
    readonly links: number
    /** Pages that hold those links. */
    readonly sources: number
  }[]
}

/**
 * What addresses and anchor texts say of every URL, fetched or not, and which queries that
 * answers. Kept up link by link. Only n-grams of the queries are looked for, and each distinct
 * text is read once. Rarity (idf) is measured over all texts: addresses, and each URL's distinct
 * anchor texts. What nearly every link says separates URLs as little as a function word does.
 */
export class LinkWords {
  readonly #analyser: Analyser
  readonly #urls: UrlTable
  readonly #anchorTexts: StringTable
  readonly #ngrams: QueryNgrams
  readonly #pairs = new AnchorPairs({
    begin: (pair, anchor) => this.#index(pair, anchor),
    turn: (anchor, change) => this.#countTexts(anchor, change),
    restart: () => {
      this.#pairsWith = new GrowingRows()
    },
    isBlank: (anchor) => this.#anchorTexts.at(anchor) === '',
  })
  readonly #matcher = new QueryMatcher()
  #anchors = new NgramRuns()
  #addresses = new NgramRuns()
  // For each n-gram: the pairs whose anchor text holds it, the URLs whose address does.
  #pairsWith = new GrowingRows()
  #urlsWith = new GrowingRows()
  readonly #wordsOf = new GrowingColumn(Uint16Array) // content words of each anchor text
  #urlCount = 0
  #sheet: AnchorSheet | undefined // until links change, or addresses are to be read
  /** The query asked about last, until the same: whoever looks for matches measures others by it next. */
  #prepared: { readonly number: number; readonly query: PreparedQuery } | undefined
  #textsWith = new GrowingColumn(Uint32Array) // living texts that hold each n-gram
  /** What rarity is measured by, if not by the texts that are known here. */
  #judges: TextCounts | undefined

  constructor(analyser: Analyser, urls: UrlTable, anchorTexts: StringTable, longestNgram?: number) {
    this.#analyser = analyser
    this.#urls = urls
    this.#anchorTexts = anchorTexts
    this.#ngrams = new QueryNgrams(analyser, longestNgram)
  }

  /** Takes the place of the queries before. If they have new n-grams, every text is read again. */
  setQueries(texts: readonly string[]): void {
    this.#prepared = undefined
    if (!this.#ngrams.setQueries(texts)) return
    this.#anchors = new NgramRuns()
    this.#addresses = new NgramRuns()
    this.#pairsWith = new GrowingRows()
    this.#urlsWith = new GrowingRows()
    this.#urlCount = 0
    this.#textsWith = new GrowingColumn(Uint32Array, this.#ngrams.size)
    this.#textsWith.append(new Uint32Array(this.#ngrams.size))
    const records = this.#pairs.records()
    for (let at = 0; at < records.length; at += PAIR_SIZE) {
      this.#index(at / PAIR_SIZE, records[at + PAIR_ANCHOR])
      if (records[at + PAIR_LINKS] > 0) this.#countTexts(records[at + PAIR_ANCHOR], 1)
    }
  }

  /** Reads the addresses of URLs that were found since the last call. */
  addUrls(): void {
    if (this.#urlCount === this.#urls.size) return
    this.#sheet = this.#prepared = undefined
    for (; this.#urlCount < this.#urls.size; this.#urlCount++) {
      const terms = this.#analyser.urlTerms(this.#urls.urlOf(this.#urlCount))
      const grams = this.#ngrams.gramsOf(terms)
      this.#addresses.add(this.#urlCount, grams)
      for (const gram of grams) {
        this.#urlsWith.push(gram, this.#urlCount)
        this.#textsWith.add(gram, 1)
      }
    }
  }

  /** Takes the links of a page in place of those it had, as `LinkStore.replace` does. */
  replaceRow(source: number, oldRow: LinkRow, newRow: LinkRow): void {
    this.addUrls()
    this.#sheet = this.#prepared = undefined
    this.#pairs.replace(source, oldRow, newRow)
  }

  /** The URLs whose texts match a query by the rule, ascending. */
  matches(query: number, rule: MatchRule = matchesByCoverage(), limits?: MatchLimits): WordMatches {
    return this.#matcher.match(this.#prepare(query), this.#sources(), rule, limits)
  }

  /**
   * How well the texts of given URLs (each listed once) match a query; zeros where they do not.
   * In the order given.
   */
  measure(query: number, urls: Uint32Array): WordMatches {
    return this.#matcher.measure(this.#prepare(query), this.#sources(), urls)
  }

  /** The texts that speak of some of the URLs. N-grams have the same numbers wherever the same queries were set. */
  countTexts(isCounted: (url: number) => boolean): CountedTexts {
    this.addUrls()
    const textsWith = new Array<number>(this.#ngrams.size).fill(0)
    let texts = 0
    const count = (grams: Iterable<number>) => {
      texts++
      for (const gram of grams) textsWith[gram]++
    }
    for (let url = 0; url < this.#urlCount; url++)
      if (isCounted(url)) count(this.#addresses.gramsOf(url))
    const records = this.#pairs.records()
    for (let at = 0; at < records.length; at += PAIR_SIZE)
      if (records[at + PAIR_LINKS] > 0 && isCounted(records[at + PAIR_URL]))
        count(this.#anchors.gramsOf(records[at + PAIR_ANCHOR]))
    return { texts, textsWith }
  }

  /** From now on rarity is measured by these texts. */
  judgeBy({ texts, textsWith }: CountedTexts): void {
    this.#judges = { texts, textsWith: (gram) => textsWith[gram] ?? 0 }
    this.#prepared = undefined
  }

  strings(url: number): UrlStrings {
    const records = this.#pairs.records()
    const address = this.#urls.urlOf(url)
    const living = [...this.#pairs.byUrl.rowOf(url)]
      .map((pair) => pair * PAIR_SIZE)
      .filter((at) => records[at + PAIR_LINKS] > 0)
    return {
      address,
      addressWords: this.#analyser.urlTerms(address),
      anchors: living
        .map((at) => ({
          text: this.#anchorTexts.at(records[at + PAIR_ANCHOR]),
          links: records[at + PAIR_LINKS],
          sources: records[at + PAIR_SOURCES],
        }))
        .sort((a, b) => b.links - a.links || (a.text < b.text ? -1 : 1)),
    }
  }

  #prepare(number: number): PreparedQuery {
    this.addUrls()
    if (this.#prepared?.number === number) return this.#prepared.query
    const query = new PreparedQuery(
      this.#ngrams.query(number),
      this.#judges ?? {
        texts: this.#urlCount + this.#pairs.size,
        textsWith: (gram) => this.#textsWith.at(gram),
      },
    )
    this.#prepared = { number, query }
    return query
  }

  #sources(): MatchSources {
    return {
      anchors: this.#anchors,
      addresses: this.#addresses,
      pairs: this.#pairs,
      pairsWith: this.#pairsWith,
      urlsWith: this.#urlsWith,
      urlCount: this.#urlCount,
      gramCount: this.#ngrams.size,
      isWord: (gram) => this.#ngrams.isWord(gram),
      sheet: () => this.#sheetNow(),
    }
  }

  #sheetNow(): AnchorSheet {
    this.#sheet ??= writeSheet(this.#pairs, this.#anchors, this.#urlCount)
    return this.#sheet
  }

  /** A URL got or lost an anchor text. */
  #countTexts(anchor: number, change: 1 | -1): void {
    for (const gram of this.#anchors.gramsOf(anchor)) this.#textsWith.add(gram, change)
  }

  /** Lets a pair be found by its n-grams; an anchor text never met is read. */
  #index(pair: number, anchor: number): void {
    if (!this.#anchors.has(anchor)) this.#readAnchor(anchor)
    const records = this.#pairs.records()
    records[pair * PAIR_SIZE + PAIR_RUN] = this.#anchors.placeOf(anchor)
    records[pair * PAIR_SIZE + PAIR_WORDS] = this.#wordsOf.at(anchor)
    for (const gram of this.#anchors.gramsOf(anchor)) this.#pairsWith.push(gram, pair)
  }

  #readAnchor(anchor: number): void {
    const terms = this.#analyser.terms(this.#anchorTexts.at(anchor))
    this.#anchors.add(anchor, this.#ngrams.gramsOf(terms))
    const contentWords = terms.filter((term) => !isFunctionWord(term)).length
    this.#wordsOf.put(anchor, Math.min(contentWords || terms.length, 0xffff))
  }
}
