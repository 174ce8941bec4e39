import { isFunctionWord } from '#parse/language/function-words.ts'
import { tokenize, urlTokens } from '#parse/text/tokens.ts'
import { stem } from './stem.ts'

/** A page as the index takes it in: what it says, and what others say of it. */
export interface SearchablePage {
  readonly url: string
  readonly title: string
  readonly text: string
  /** Anchor texts of the links to it, one for each link. */
  readonly anchors: readonly string[]
}

/** How words become terms; the same for pages and queries, or they would never meet. */
export interface Analyser {
  /**
   * The terms of a text, in order. ASCII characters that are neither letters nor digits part words,
   * and what becomes of a word does not depend on those around it.
   */
  terms(text: string): string[]
  /** The terms of an address. */
  urlTerms(url: string): string[]
  /** The terms of a query, each once; function words only if it has nothing else. */
  queryTerms(text: string): string[]
}

/** Lower-cased words without accents; with `stemming`, English endings are taken off too. */
export function analyser({ stemming }: { readonly stemming: boolean }): Analyser {
  const termsOf = (words: string[]) => (stemming ? words.map(stem) : words)
  return {
    terms: (text) => termsOf(tokenize(text)),
    urlTerms: (url) => termsOf(urlTokens(url)),
    queryTerms: (text) => {
      const words = tokenize(text)
      const telling = words.filter((word) => !isFunctionWord(word))
      return [...new Set(termsOf(telling.length > 0 ? telling : words))]
    },
  }
}
