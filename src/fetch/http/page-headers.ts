import {
  type Directives,
  forbidsSearch,
  mergeDirectives,
  NO_DIRECTIVES,
  readDirectives,
} from '#parse/page/directives.ts'
import { parseLinkHeader } from '#parse/page/link-header.ts'
import type { ParsedPage } from '#parse/page/page.ts'
import { joined } from './body-type.ts'
import { NO_SEARCH } from './content-hash.ts'
import type { Headers } from './http-get.ts'

const MAX_USAGE_CHARS = 500

/**
 * What the headers add to what the page says of itself. Of directives the stricter counts; a canonical
 * address in the page wins over a header's, which is often set for a whole server at once.
 */
export function withHeaders(
  page: ParsedPage,
  headers: Headers,
  { url, at }: { readonly url: string; readonly at: number },
  agentToken: string,
) {
  const asked = readDirectives(headers['x-robots-tag'], agentToken)
  const { noarchive, nosnippet, ...strict } = mergeDirectives({ ...NO_DIRECTIVES, ...page }, asked)
  const { canonical, links, push } = parseLinkHeader(headers.link ?? [], url)
  const { unavailableAfter = Number.POSITIVE_INFINITY } = strict
  const usage = joined(headers['content-usage'])?.slice(0, MAX_USAGE_CHARS)
  const noSearch = usage !== undefined && forbidsSearch(usage)
  const merged: ParsedPage = {
    ...page,
    ...strict,
    noindex: strict.noindex || unavailableAfter <= at || noSearch,
    ...(noarchive && { noarchive }),
    ...(nosnippet && { nosnippet }),
    ...(page.form === 'feed' && page.push === undefined && push && { push }),
    ...(page.canonical === undefined && canonical !== undefined && { canonical }),
    ...(usage !== undefined && { contentUsage: usage }),
  }
  const found = merged.nofollow ? [] : links
  const words = [...wordsOf(asked), noSearch ? NO_SEARCH : '', canonical ?? '']
  return { page: merged, found, asked: words.join(' ').trim() }
}

/** What directives ask for, in words that stay the same as long as they do. */
function wordsOf(asked: Directives): string[] {
  const { unavailableAfter } = asked
  const words = ['noindex', 'nofollow', 'noarchive', 'nosnippet'] as const
  const until = unavailableAfter === undefined ? [] : [`until ${unavailableAfter}`]
  return [...words.filter((word) => asked[word]), ...until]
}
