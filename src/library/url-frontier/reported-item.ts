import { createHash } from 'node:crypto'
import type { FetchRequest } from '#crawl/ports.ts'
import type { FetchOutcome } from '#learn/entries/outcome.ts'
import type { Link } from '#parse/page/page.ts'
import { canonicalUrl } from '#parse/url/canonical-url.ts'
import { reportedOutcome } from '../hand-out/reported-page.ts'
import type { Metadata } from './url-ledger.ts'

/** The page itself, if a fetcher sends it: as text, and of which type. They are read, and not kept with the URL. */
const CONTENT = 'forager.content'
const CONTENT_TYPE = 'forager.content-type'

/** No date is later: a URL that is never to be fetched again. */
const NEVER = Date.UTC(9999, 0) / 1000

/** What a fetcher tells of a URL it was given. */
interface ReportedItem {
  readonly metadata: Metadata
  /** Not to be fetched before; 0 if never again. Seconds since 1970. */
  readonly refetchableFrom: number
  /** URLs that it found there. */
  readonly links: readonly Link[]
  readonly at: number
}

/** The outcome of a fetch, as far as metadata tell it: by the names that StormCrawler gives them, and the page if it is sent. */
export function outcomeOf(request: FetchRequest, item: ReportedItem): FetchOutcome {
  const notBefore = item.refetchableFrom === 0 ? NEVER : item.refetchableFrom
  const outcome = readItem(request, item)
  // What may be fetched again at once is, when our plan says so.
  return notBefore > item.at ? { ...outcome, notBefore } : outcome
}

/** Metadata without the page, which is too large to be kept with a URL. */
export function withoutContent(metadata: Metadata): Metadata {
  const { [CONTENT]: _, [CONTENT_TYPE]: __, ...kept } = metadata
  return kept
}

/** The page on which a URL was found, and what the link says, as far as metadata tell. */
export function sourceOf(metadata: Metadata): { readonly page?: string; readonly anchor: string } {
  const path = metadata['url.path'] ?? []
  const page = path.length > 0 ? canonicalUrl(path.at(-1)!) : undefined
  return { ...(page && { page }), anchor: (metadata.anchors ?? []).join(' ').slice(0, 300) }
}

function readItem(request: FetchRequest, item: ReportedItem): FetchOutcome {
  const { metadata, at } = item
  const { id, url } = request
  const attempt = { id, url, at, ms: 0 }
  const status = Number(first(metadata, 'fetch.statusCode') ?? 200)
  const cause = first(metadata, 'error.cause') ?? ''
  if (/robots/i.test(cause)) return { ...attempt, kind: 'disallowed', rule: cause }
  const fault = first(metadata, 'fetch.exception')
  if (fault !== undefined || !(status >= 100 && status < 600))
    return { ...attempt, kind: 'failed', sent: true, reason: fault ?? cause }
  const loadedUrl = canonicalUrl(first(metadata, '_redirTo') ?? '')
  const content = first(metadata, CONTENT)
  const isPage = status >= 200 && status < 300
  if (!isPage || loadedUrl !== undefined || content !== undefined)
    return reportedOutcome(request, {
      ...{ status, at, loadedUrl, body: Buffer.from(content ?? '') },
      headers: headersFrom(metadata),
    })
  return { ...attempt, kind: 'page', status, bytes: 0, ...describedPage(item) }
}

/** A page of which only a description is told: title, summary and links. */
function describedPage({ metadata, links }: ReportedItem) {
  const title = first(metadata, 'parse.title') ?? first(metadata, 'title') ?? ''
  const told = ['parse.description', 'description', 'parse.keywords', 'keywords']
  const text = [title, ...told.flatMap((name) => metadata[name] ?? [])].join('\n')
  const signature = first(metadata, 'signature')
  const said = signature ?? JSON.stringify([text, links.map(({ url }) => url)])
  const contentHash = createHash('sha256').update(said).digest('hex')
  const page = { form: 'page' as const, title, text, links, noindex: false, nofollow: false }
  return { page, contentHash }
}

/** Of the answer, what fetchers keep under its own name or with a prefix. */
function headersFrom(metadata: Metadata): Record<string, string> {
  const names = ['last-modified', 'etag', 'x-robots-tag', 'retry-after', 'location']
  const kept = names.flatMap((name) => {
    const value = first(metadata, name) ?? first(metadata, `protocol.${name}`)
    return value === undefined ? [] : [[name, value] as const]
  })
  const type = first(metadata, CONTENT_TYPE) ?? 'text/html; charset=utf-8'
  return { ...Object.fromEntries(kept), 'content-type': type }
}

function first(metadata: Metadata, name: string): string | undefined {
  return metadata[name]?.[0]
}
