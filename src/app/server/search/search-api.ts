import type { ShownAnswer, ShownResult } from '#library/search/search-results.ts'
import type { ValueOf } from '../http/schema.ts'
import {
  constant,
  list,
  momentOrNull,
  number,
  object,
  pair,
  text,
  truth,
  whole,
} from '../http/schema.ts'

/** Nobody asks longer questions, and nobody pages further. */
export const MAX_QUERY_CHARS = 500
export const MAX_OFFSET = 990
export const MAX_LIMIT = 100
export const PAGE_SIZE = 10

/** What `/api/search` takes. */
export const API_PARAMETERS = {
  q: text('The query, in plain words; `site:`, `lang:`, quotes and `-word` narrow it down.', {
    minLength: 1,
    maxLength: MAX_QUERY_CHARS,
  }),
  offset: whole('Results to leave out.', { maximum: MAX_OFFSET, default: 0 }),
  limit: whole('Results to give.', { minimum: 1, maximum: MAX_LIMIT, default: PAGE_SIZE }),
}

/** What the search page takes; without a query it shows the front page. */
export const PAGE_PARAMETERS = {
  q: text('', { maxLength: MAX_QUERY_CHARS, default: '' }),
  page: whole('', { minimum: 1, maximum: MAX_OFFSET / PAGE_SIZE + 1, default: 1 }),
}

const Snippet = object(
  { description: 'An excerpt as plain text: escape it before it becomes HTML.' },
  {
    text: text(),
    marks: list(pair(whole()), 'Where words of the query stand: start and end, in UTF-16 units.'),
  },
)

const Result = object(
  { title: 'Result' },
  {
    rank: whole('1 is the best of all.', { minimum: 1 }),
    url: text(),
    title: text(),
    snippet: Snippet,
    score: number('Comparable within one query only.'),
    fetchedAt: momentOrNull('Age of the copy.'),
  },
  {
    language: text(
      'The language it speaks, as a tag such as `en` or `pt-br`. Absent if it is unknown.',
    ),
    clickPath: text('Leads to `url` and notes the choice. Absent if nothing is logged.'),
  },
)

/** What `/api/search` answers, and `forager search --json` prints. */
export const AnswerSchema = object(
  { title: 'Answer', description: 'The results; none if nothing answers.' },
  {
    query: text(),
    offset: whole(),
    limit: whole(),
    total: whole('How many pages answer.'),
    totalIsExact: truth('If not, there are at least so many.'),
    ms: number('How long the search took.'),
    results: list(Result),
  },
  { queryId: text('What the query log calls this search.') },
)

const QueryLog = object(
  { title: 'QueryLog' },
  {
    bytes: whole('What the logs of searches take on the disk.'),
    mostBytes: whole('What they may take.'),
    isFull: truth('If so, searches are not noted for now.'),
    unwritten: whole('Searches and clicks not logged because the log is full.'),
  },
)

export const HealthSchema = object(
  { title: 'Health', description: 'It is.' },
  { status: constant('ok'), pages: whole('Pages indexed.') },
  { queryLog: QueryLog },
)

/** A result list for machines; `noted` if the search was logged. */
export function apiAnswer(
  { results, words: _, ...answer }: ShownAnswer,
  noted?: { readonly queryId: string; readonly clickPath: (result: ShownResult) => string },
): ValueOf<typeof AnswerSchema> {
  return {
    ...answer,
    ms: Number(answer.ms.toFixed(3)),
    queryId: noted?.queryId,
    results: results.map((result) => ({
      rank: result.rank,
      url: result.url,
      title: result.title,
      snippet: { text: result.snippet.text, marks: result.snippet.marks },
      score: result.score,
      language: result.language,
      fetchedAt: result.fetchedAt > 0 ? new Date(result.fetchedAt * 1000).toISOString() : null,
      clickPath: noted?.clickPath(result),
    })),
  }
}
