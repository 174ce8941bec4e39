import { randomUUID } from 'node:crypto'
import type { ShownAnswer, ShownResult } from '#library/search/search-results.ts'
import { normalQuery } from '#workload/normal-query.ts'
import type { Asked } from '../http/route.ts'
import type { ResultLink, ResultLinks } from './search-links.ts'
import type { QueryLog } from './search-log.ts'

/** Where searches and clicks are logged. */
export interface SearchNotes {
  readonly queries: QueryLog
  readonly links: ResultLinks
}

/** A search that was logged. */
interface Noted {
  readonly queryId: string
  /** Makes a browser keep its new id; left out if it has one. */
  readonly cookie?: string
  /** Leads to a result and logs the click. */
  readonly clickPath: (result: ShownResult) => string
}

const COOKIE = 'forager_client'
const LIFETIME_SECONDS = 180 * 86_400
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Logs a search that a person or program meant to make. Only browsers get a client id. */
export function noteSearch(
  notes: SearchNotes | undefined,
  asked: Asked,
  { words, offset, total, results }: ShownAnswer,
  application: 'search-page' | 'search-api',
): Noted | undefined {
  // What cannot become workload, because it tells who asked, is not kept in the first place.
  if (!notes || !isDeliberate(asked) || normalQuery(words).text === undefined) return undefined
  const { queries, links } = notes
  const known = clientIdIn(asked)
  // Random: it says nothing of its bearer but that two searches came from the same browser.
  const clientId = known ?? (application === 'search-page' ? randomUUID() : undefined)
  const shown = results.map(({ url }) => url)
  const queryId = queries.noteSearch({ application, clientId, text: words, offset, total, shown })
  return {
    queryId,
    cookie: clientId === known ? undefined : cookieOf(clientId!),
    clickPath: ({ url, rank }) => links.pathOf({ url, rank, queryId }),
  }
}

/** Logs a click on a result, unless a browser only fetched ahead. */
export function noteChoice({ queries }: SearchNotes, asked: Asked, link: ResultLink): void {
  if (isDeliberate(asked)) queries.noteChoice(link, clientIdIn(asked))
}

/** Browsers say when they only prefetch, and when another site's page made them ask. */
function isDeliberate({ method, headers }: Asked): boolean {
  const purpose = `${headers['sec-purpose'] ?? ''} ${headers.purpose ?? ''}`
  return (
    method === 'GET' && !/prefetch/i.test(purpose) && headers['sec-fetch-site'] !== 'cross-site'
  )
}

/** The id a browser was given before, if it sends one of ours. */
function clientIdIn({ headers }: Asked): string | undefined {
  for (const cookie of (headers.cookie ?? '').split(';')) {
    const [name, value = ''] = cookie.trim().split('=', 2)
    if (name === COOKIE && UUID.test(value)) return value
  }
  return undefined
}

/** Scripts cannot read it, other sites do not get it. */
function cookieOf(id: string): string {
  return `${COOKIE}=${id}; Path=/; Max-Age=${LIFETIME_SECONDS}; HttpOnly; SameSite=Lax`
}
