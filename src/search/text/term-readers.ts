import type { StringTable } from '#numeric/string-table.ts'
import type { Analyser, SearchablePage } from './analysis.ts'
import { MOST_SLOTS, TermList, TermReader } from './term-reader.ts'

/** Words of further languages are cached too, but fewer: there may be twenty of them. */
const FURTHER_SLOTS = MOST_SLOTS >> 3

/** Readers of texts, one for each language in which texts are read. */
export class TermReaders {
  readonly #analyser: Analyser
  readonly #table: StringTable
  readonly #readers = new Map<string, TermReader>()
  readonly #lists = [new TermList(), new TermList(), new TermList()] as const

  constructor(analyser: Analyser, table: StringTable) {
    this.#analyser = analyser
    this.#table = table
  }

  /** For texts that are read as a language. */
  in(readAs: string): TermReader {
    let reader = this.#readers.get(readAs)
    if (!reader) {
      const isFirst = readAs === this.#analyser.readAs(undefined)
      const termsOf = (text: string) => this.#analyser.terms(text, readAs)
      reader = new TermReader(termsOf, this.#table, isFirst ? MOST_SLOTS : FURTHER_SLOTS)
      this.#readers.set(readAs, reader)
    }
    return reader
  }

  /** The numbers of a page's terms, until the next page is read. */
  fieldsOf({ url, title, text, anchors, language }: SearchablePage) {
    const readAs = this.#analyser.readAs(language)
    const reader = this.in(readAs)
    const urlTerms = reader.numbersOf(this.#analyser.urlTerms(url, readAs))
    const [titleTerms, anchorTerms, bodyTerms] = this.#lists
    return [
      reader.read(title, titleTerms),
      reader.read(anchors.join(' '), anchorTerms),
      urlTerms,
      reader.read(text, bodyTerms),
    ] as const
  }

  /** The numbers of terms that are ready. */
  numbersOf(terms: readonly string[]): number[] {
    return terms.map((term) => this.#table.add(term))
  }
}
