import type { ShownAnswer, ShownResult } from '#library/search/search-results.ts'

/** What `/api/search` answers, and `forager search --json` prints. */
export interface ApiAnswer extends Omit<ShownAnswer, 'results'> {
  /** What the query log calls this search; not there if nothing is logged. */
  readonly queryId?: string
  readonly results: readonly ApiResult[]
}

export interface ApiResult {
  readonly rank: number
  readonly url: string
  readonly title: string
  readonly snippet: { readonly text: string; readonly marks: ShownResult['titleMarks'] }
  readonly score: number
  /** ISO 8601; null if nobody knows. */
  readonly fetchedAt: string | null
  /** Leads to `url` and notes the choice; not there if nothing is logged. */
  readonly clickPath?: string
}

/** A result list for machines. */
export function apiAnswer(
  { results, ...answer }: ShownAnswer,
  log?: { readonly queryId: string; readonly clickPath: (result: ShownResult) => string },
): ApiAnswer {
  return {
    ...answer,
    ms: Number(answer.ms.toFixed(3)),
    ...(log && { queryId: log.queryId }),
    results: results.map((result) => ({
      rank: result.rank,
      url: result.url,
      title: result.title,
      snippet: { text: result.snippet.text, marks: result.snippet.marks },
      score: result.score,
      fetchedAt: result.fetchedAt > 0 ? new Date(result.fetchedAt * 1000).toISOString() : null,
      ...(log && { clickPath: log.clickPath(result) }),
    })),
  }
}
