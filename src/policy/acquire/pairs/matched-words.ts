import type { UrlStrings } from '#frontier/link-words/link-words.ts'
import { tokenize } from '#parse/text/tokens.ts'
import { defaultAnalyser } from '#search/full-text/default-search.ts'

/** Words of a query as it is written, by where they are found; a word may be found in both. */
export interface MatchedWords {
  readonly address: readonly string[]
  readonly anchors: readonly string[]
  /** Neither the address nor a link says these. */
  readonly missing: readonly string[]
}

/** Who says which words of a query, in a few words each. */
export function saidBy({ anchors, address }: MatchedWords): string[] {
  return [
    ...(anchors.length > 0 ? [`links say ${anchors.join(' ')}`] : []),
    ...(address.length > 0 ? [`address says ${address.join(' ')}`] : []),
  ]
}

/** What an address and the links to it say, ready to be compared with queries. */
export class SaidWords {
  readonly #address: ReadonlySet<string>
  readonly #anchors: ReadonlySet<string>

  constructor({ addressWords, anchors }: UrlStrings) {
    this.#address = new Set(addressWords)
    this.#anchors = new Set(anchors.flatMap(({ text }) => defaultAnalyser.terms(text)))
  }

  /** The words of a query that count, by where they are said. */
  matching(query: string): MatchedWords {
    const counting = new Set(defaultAnalyser.queryTerms(query))
    const words = [...new Set(tokenize(query))].flatMap((word) => {
      const [term] = defaultAnalyser.terms(word)
      return counting.has(term) ? [{ word, term }] : []
    })
    const those = (isFound: (term: string) => boolean) =>
      words.filter(({ term }) => isFound(term)).map(({ word }) => word)
    return {
      address: those((term) => this.#address.has(term)),
      anchors: those((term) => this.#anchors.has(term)),
      missing: those((term) => !this.#address.has(term) && !this.#anchors.has(term)),
    }
  }
}
