import type { Exchange, FetchOutcome, PageOutcome } from '#crawl/outcome.ts'
import { canonicalUrl } from '#parse/canonical-url.ts'
import { mergeDirectives, NO_DIRECTIVES, readDirectives } from '#parse/directives.ts'
import { parseLinkHeader } from '#parse/link-header.ts'
import type { ParsedPage } from '#parse/page.ts'
import { parsePage } from '#parse/parse-page.ts'
import { contentHash } from './content-hash.ts'
import { type DecodedBody, decodeBody } from './decode-body.ts'
import type { Headers, HttpAnswer, HttpFailure } from './http-get.ts'

export interface Attempt {
  readonly id: number
  readonly url: string
  readonly at: number
  readonly ms: number
}

export interface ReadOptions {
  readonly agentToken: string
  /** On the wire. */
  readonly maxBodyBytes: number
  /** Once unpacked; without it the same as on the wire. */
  readonly maxDecodedBytes?: number
  /** We asked for the page only if it changed. */
  readonly conditional?: boolean
}

const PAGE_TYPE = /^(text\/html|application\/xhtml\+xml|text\/plain)$/
const FEED_TYPE = /^(application|text)\/(xml|rss\+xml|atom\+xml|rdf\+xml|feed\+json)$/
const GZIP_TYPE = /^application\/(x-)?gzip$|^application\/octet-stream$/
const PACKED_FILE = /\.(xml|txt|rss|atom)\.gz$/i
const MAX_USAGE_CHARS = 500

/** True for answers whose body may be a page, sitemap or feed: all others end with their headers. */
export function mayBePage(status: number, headers: Headers, url: URL): 'whole' | false {
  if (!isPageStatus(status) || isChallenge(headers)) return false
  return unreadableType(headers, url) === undefined ? 'whole' : false
}

/** What an HTTP answer means for the crawl. */
export function readAnswer(
  attempt: Attempt,
  answer: HttpAnswer,
  options: ReadOptions,
): FetchOutcome {
  const { status, bytes, headers, exchange } = answer
  const seen = { ...attempt, ...(exchange && { exchange }) }
  const base = { ...seen, status, bytes }
  if (isChallenge(headers)) return { ...base, kind: 'denied' }
  if (isPageStatus(status)) return readPage(base, answer, options)
  if (status >= 200 && status < 300)
    return { ...base, kind: 'unreadable', reason: `status ${status} carries no page` }
  if (status === 304 && options.conditional) return { ...base, kind: 'unchanged' }
  if (status >= 300 && status < 400) {
    const location = first(headers.location)
    const target = location === undefined ? undefined : canonicalUrl(location, attempt.url)
    if (target) return { ...base, kind: 'redirect', target }
    const reason = location === undefined ? 'redirect without Location' : 'redirect to no valid URL'
    return { ...seen, kind: 'failed', reason, status, sent: true }
  }
  if (status === 404 || status === 410) return { ...base, kind: 'gone' }
  if (status >= 400 && status < 500 && status !== 429) return { ...base, kind: 'denied' }
  const { retryAfterSeconds } = answer
  return {
    ...seen,
    kind: 'failed',
    reason: `status ${status}`,
    status,
    sent: true,
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  }
}

/** What a failed request means for the crawl. */
export function readFailure(attempt: Attempt, failure: HttpFailure): FetchOutcome {
  const { reason, sent, status, exchange } = failure
  if (failure.forbidden) return { ...attempt, kind: 'forbidden', reason }
  return {
    ...attempt,
    kind: 'failed',
    reason,
    sent,
    ...(status !== undefined && { status }),
    ...(exchange && { exchange }),
  }
}

/** 202 is left out: challenge pages come with it. */
function isPageStatus(status: number): boolean {
  return status === 200 || status === 203
}

/** A riddle meant for people: we never solve one, and its page is not the one we asked for. */
function isChallenge(headers: Headers): boolean {
  const signs = [headers['cf-mitigated'], headers['x-amzn-waf-action']]
  return signs.flat().some((sign) => sign === 'challenge' || sign === 'captcha')
}

type Base = Omit<PageOutcome, 'kind' | 'page' | 'contentHash'> & { readonly exchange?: Exchange }

function readPage(base: Base, answer: HttpAnswer, options: ReadOptions): FetchOutcome {
  const { headers } = answer
  const unreadable = (reason: string): FetchOutcome => ({ ...base, kind: 'unreadable', reason })
  const type = unreadableType(headers, new URL(base.url))
  if (type !== undefined) return unreadable(`type ${type}`)
  const { maxBodyBytes, maxDecodedBytes = maxBodyBytes } = options
  // Half a page would have half its links and a hash that says nothing: better none.
  if (answer.truncated) return unreadable(`body over ${maxBodyBytes} bytes`)
  const decoded = unpacked(answer, maxDecodedBytes)
  if (decoded.kind === 'too-large') return unreadable(`body over ${maxDecodedBytes} bytes`)
  if (decoded.kind === 'broken') return unreadable(decoded.reason)
  if (decoded.kind === 'cut') {
    const { bytes: _, ...seen } = base
    return { ...seen, kind: 'failed', reason: 'body cut short', sent: true }
  }
  const contentType = first(headers['content-type'])
  if (contentType === undefined && !looksLikeMarkup(decoded.body))
    return unreadable('no type, and it does not look like HTML')
  const parsed = parsePage(decoded.body, innerType(contentType, base.url), base.url)
  if (parsed.form === 'page' && !isPageType(contentType, decoded.body))
    return unreadable(`type ${mediaType(contentType!)}, but neither sitemap nor feed`)
  const page = withHeaders(parsed, headers, base.url, options.agentToken)
  const etag = first(headers.etag)
  const lastModified = first(headers['last-modified'])
  return {
    ...base,
    kind: 'page',
    page: page.page,
    ...(page.found.length > 0 && { found: page.found }),
    contentHash: contentHash(decoded.body),
    ...(etag !== undefined && { etag }),
    ...(lastModified !== undefined && { lastModified }),
  }
}

/** The body freed of its Content-Encoding, and a sitemap of its own packing. */
function unpacked(answer: HttpAnswer, maxBytes: number): DecodedBody {
  const { headers, body } = answer
  const decoded = decodeBody(body, joined(headers['content-encoding']), maxBytes)
  const isPacked = GZIP_TYPE.test(mediaType(first(headers['content-type']) ?? ''))
  if (decoded.kind !== 'decoded' || !isPacked) return decoded
  if (decoded.body[0] !== 0x1f || decoded.body[1] !== 0x8b) return decoded
  return decodeBody(decoded.body, 'gzip', maxBytes)
}

/** What is inside: a packed file's own type says only that it is packed. */
function innerType(contentType: string | undefined, url: string): string {
  if (contentType === undefined) return 'text/html'
  if (!GZIP_TYPE.test(mediaType(contentType))) return contentType
  return /\.txt\.gz$/i.test(new URL(url).pathname) ? 'text/plain' : 'application/xml'
}

/** XML may be XHTML; any other XML or JSON that is neither sitemap nor feed is no page. */
function isPageType(contentType: string | undefined, body: Uint8Array): boolean {
  if (contentType === undefined || PAGE_TYPE.test(mediaType(contentType))) return true
  return /<html[\s>]/i.test(
    Buffer.from(body.buffer, body.byteOffset, body.length).toString('latin1', 0, 2048),
  )
}

/**
 * What the headers add to what the page says of itself. Of directives the stricter counts; a canonical
 * address in the page wins over a header's, which is often set for a whole server at once.
 */
function withHeaders(page: ParsedPage, headers: Headers, url: string, agentToken: string) {
  const asked = readDirectives(headers['x-robots-tag'], agentToken)
  const { noarchive, nosnippet, ...strict } = mergeDirectives({ ...NO_DIRECTIVES, ...page }, asked)
  const { canonical, links } = parseLinkHeader(headers.link ?? [], url)
  const usage = joined(headers['content-usage'])?.slice(0, MAX_USAGE_CHARS)
  const merged: ParsedPage = {
    ...page,
    ...strict,
    ...(noarchive && { noarchive }),
    ...(nosnippet && { nosnippet }),
    ...(page.canonical === undefined && canonical !== undefined && { canonical }),
    ...(usage !== undefined && { contentUsage: usage }),
  }
  return { page: merged, found: merged.nofollow ? [] : links }
}

/** The media type when it is none of ours; a missing one is judged by the body. */
function unreadableType(headers: Headers, { pathname }: URL): string | undefined {
  const header = first(headers['content-type'])
  if (header === undefined) return undefined
  const type = mediaType(header)
  if (PAGE_TYPE.test(type) || FEED_TYPE.test(type)) return undefined
  // Types that say little need a name that says more.
  if (type === 'application/json' && /feed/i.test(pathname)) return undefined
  if (GZIP_TYPE.test(type) && PACKED_FILE.test(pathname)) return undefined
  return type.slice(0, 60) || 'unnamed'
}

function mediaType(contentType: string): string {
  return contentType.split(';', 1)[0].trim().toLowerCase()
}

/** The first thing after a byte order mark and white space is a `<`. */
function looksLikeMarkup(body: Uint8Array): boolean {
  const start = body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf ? 3 : 0
  for (const byte of body.subarray(start, start + 1024)) {
    if (byte === 0x3c) return true
    if (byte !== 0x20 && (byte < 0x09 || byte > 0x0d)) return false
  }
  return false
}

function first(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header
}

function joined(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header.join(',') : header
}
