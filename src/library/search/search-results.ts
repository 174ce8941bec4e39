import { plainLines, plainText } from '#parse/text/plain-text.ts'
import { defaultAnalyser } from '#search/full-text/default-search.ts'
import { readQuery } from '#search/text/asked-query.ts'
import { highlighter, type Snippet, type TextRange } from '#search/text/snippet.ts'
import type { SearchAnswer, SearchHit, SearchService } from './search-service.ts'

/** A result as people see it; nothing in it commands a terminal, and nothing is escaped for HTML. */
export interface ShownResult {
  /** 1 is the top of the first page. */
  readonly rank: number
  readonly url: string
  /** Never empty. */
  readonly title: string
  readonly titleMarks: readonly TextRange[]
  readonly snippet: Snippet
  readonly score: number
  /** Seconds since 1970; 0 if nobody knows. */
  readonly fetchedAt: number
  /** The language it speaks, as a tag, if it is known. */
  readonly language?: string
}

/** A part of a result list, ready to be shown. */
export interface ShownAnswer {
  readonly query: string
  /** What is looked for: the query without its operators. */
  readonly words: string
  readonly offset: number
  readonly limit: number
  readonly total: number
  readonly totalIsExact: boolean
  readonly ms: number
  readonly results: readonly ShownResult[]
}

/** Asks, and makes titles, excerpts and marks of what comes back. */
export function askAndShow(
  service: SearchService,
  query: string,
  offset: number,
  limit: number,
): ShownAnswer {
  const { hits, total, totalIsExact, ms }: SearchAnswer = service.search(query, offset, limit)
  const { words } = readQuery(query)
  const { marks, snippet } = highlighter(words, defaultAnalyser)
  const results = hits.map((hit, i) => {
    const title = titleOf(hit)
    return {
      rank: offset + i + 1,
      url: plainText(hit.url),
      title,
      titleMarks: marks(title, hit.language),
      // Controls become spaces one by one, so marks stay where they are.
      snippet: snippet(plainLines(hit.text), hit.language),
      score: hit.score,
      fetchedAt: hit.fetchedAt,
      ...(hit.language !== undefined && { language: plainText(hit.language) }),
    }
  })
  return { query, words, offset, limit, total, totalIsExact, ms, results }
}

/** A page without a title goes by the end of its address. */
function titleOf({ title, url }: SearchHit): string {
  const words = plainText(title)
  if (words !== '') return words
  const { pathname = '', hostname = '' } = URL.parse(url) ?? {}
  const last = pathname
    .split('/')
    .filter((part) => part !== '')
    .at(-1)
  return plainText(decoded(last ?? hostname)) || 'Untitled page'
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text // escapes that are no UTF-8
  }
}
