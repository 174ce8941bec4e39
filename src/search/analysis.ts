import { tokenize, urlTokens } from '#parse/tokens.ts'
import type { ByField } from './fields.ts'
import { isFunctionWord } from './function-words.ts'
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
  /** The terms of each field of a page. */
  pageTerms(page: SearchablePage): ByField<string[]>
  /** The terms of the anchor field alone. */
  anchorTerms(anchors: readonly string[]): string[]
  /** The terms of a query, each once; function words only if it has nothing else. */
  queryTerms(text: string): string[]
}

/** Lower-cased words without accents; with `stemming`, English endings are taken off too. */
export function analyser({ stemming }: { readonly stemming: boolean }): Analyser {
  const termsOf = (words: string[]) => (stemming ? words.map(stem) : words)
  const anchorTerms = (anchors: readonly string[]) => termsOf(anchors.flatMap(tokenize))
  return {
    anchorTerms,
    pageTerms: ({ url, title, text, anchors }) => [
      termsOf(tokenize(title)),
      anchorTerms(anchors),
      termsOf(urlTokens(url)),
      termsOf(tokenize(text)),
    ],
    queryTerms: (text) => {
      const words = tokenize(text)
      const telling = words.filter((word) => !isFunctionWord(word))
      return [...new Set(termsOf(telling.length > 0 ? telling : words))]
    },
  }
}
