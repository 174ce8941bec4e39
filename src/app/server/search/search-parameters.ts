import { plainText } from '#parse/text/plain-text.ts'

/** Nobody asks longer questions, and nobody pages further. */
export const MAX_QUERY_CHARS = 500
export const MAX_OFFSET = 990
export const MAX_LIMIT = 100
export const PAGE_SIZE = 10

/** What a request asks for, or why it cannot be answered. */
export type SearchRequest =
  | {
      readonly kind: 'search'
      readonly text: string
      readonly offset: number
      readonly limit: number
    }
  | { readonly kind: 'empty' }
  | { readonly kind: 'mistake'; readonly message: string }

/** Reads the parameters `q`, `offset` and `limit` of the API. */
export function apiRequest(parameters: URLSearchParams): SearchRequest {
  const offset = wholeIn(parameters, 'offset', 0, 0, MAX_OFFSET)
  if (typeof offset === 'string') return { kind: 'mistake', message: offset }
  const limit = wholeIn(parameters, 'limit', PAGE_SIZE, 1, MAX_LIMIT)
  if (typeof limit === 'string') return { kind: 'mistake', message: limit }
  return withText(parameters, offset, limit)
}

/** Reads the parameters `q` and `page` of the search page. */
export function pageRequest(parameters: URLSearchParams): SearchRequest {
  const page = wholeIn(parameters, 'page', 1, 1, MAX_OFFSET / PAGE_SIZE + 1)
  if (typeof page === 'string') return { kind: 'mistake', message: page }
  return withText(parameters, (page - 1) * PAGE_SIZE, PAGE_SIZE)
}

function withText(parameters: URLSearchParams, offset: number, limit: number): SearchRequest {
  const text = plainText(parameters.get('q') ?? '').replace(/\s+/g, ' ')
  if (text === '') return { kind: 'empty' }
  if (text.length > MAX_QUERY_CHARS)
    return {
      kind: 'mistake',
      message: `the question has ${text.length} characters: ask in at most ${MAX_QUERY_CHARS}`,
    }
  return { kind: 'search', text, offset, limit }
}

/** The number, or what is wrong with it. */
function wholeIn(
  parameters: URLSearchParams,
  name: string,
  otherwise: number,
  least: number,
  most: number,
): number | string {
  const text = parameters.get(name)
  if (text === null || text === '') return otherwise
  const value = Number(text)
  return /^\d{1,9}$/.test(text) && value >= least && value <= most
    ? value
    : `${name} must be a whole number from ${least} to ${most}`
}
