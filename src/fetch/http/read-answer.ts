import type { Exchange, FetchOutcome, PageOutcome } from '#learn/entries/outcome.ts'
import type { NamesSitemap } from '#parse/feeds/sitemap.ts'
import {
  type Directives,
  forbidsSearch,
  mergeDirectives,
  NO_DIRECTIVES,
  readDirectives,
} from '#parse/page/directives.ts'
import { parseLinkHeader } from '#parse/page/link-header.ts'
import type { ParsedPage } from '#parse/page/page.ts'
import { beginsXmlList, parsePage } from '#parse/parse-page.ts'
import { canonicalUrl } from '#parse/url/canonical-url.ts'
import { binaryKind } from './binary-body.ts'
import { contentHash, NO_SEARCH } from './content-hash.ts'
import { type DecodedBody, decodeBody, decodedBeginning } from './decode-body.ts'
import type { Headers, HttpAnswer, HttpFailure } from './http-get.ts'
import { isOurFault } from './reaction.ts'

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
  /** For a sitemap: whose robots.txt names it. */
  readonly isNamedBy?: NamesSitemap
}

const PAGE_TYPE = /^(text\/html|application\/xhtml\+xml|text\/plain)$/
const FEED_TYPE = /^(application|text)\/(xml|rss\+xml|atom\+xml|rdf\+xml|feed\+json)$/
const GZIP_TYPE = /^application\/(x-)?gzip$|^application\/octet-stream$/
const PACKED_FILE = /\.(xml|txt|rss|atom)\.gz$/i
const MAX_USAGE_CHARS = 500
/** By so much it is told what a body is. */
const BEGINNING_BYTES = 2048
/** What the protocol allows a sitemap, once it is unpacked. */
const SITEMAP_BYTES = 50 * 1024 * 1024

/** Whether the body may be a page, sitemap or feed: all others end with their headers. */
export function mayBePage(status: number, headers: Headers, url: URL): boolean {
  if (!isPageStatus(status) || isChallenge(headers)) return false
  return unreadableType(headers, url) === undefined
}

/** An answer whose body has been freed of its encoding, if it may be a page and is not long. */
interface UnpackedAnswer extends HttpAnswer {
  readonly decoded?: DecodedBody
  /** Whether there is more to read than was asked about. */
  readonly isLong: boolean
}

/**
 * Frees an answer's body of its encoding up to a length, so that it is told before it is read whether it is longer. What
 * is longer stays packed meanwhile: many may wait.
 */
export function unpackedAnswer(
  { url }: Attempt,
  answer: HttpAnswer,
  options: ReadOptions,
  lightBytes: number,
): UnpackedAnswer {
  const { status, headers } = answer
  const target = new URL(url)
  if (!mayBePage(status, headers, target)) return { ...answer, isLong: false }
  const limit = decodedLimit(headers, target, options)
  const decoded = unpacked(answer, target.pathname, Math.min(limit, lightBytes))
  if (decoded.kind === 'too-large' && limit > lightBytes) return { ...answer, isLong: true }
  return { ...answer, decoded, isLong: false }
}

/** What an HTTP answer means for the crawl. */
export function readAnswer(
  attempt: Attempt,
  answer: HttpAnswer & Partial<UnpackedAnswer>,
  options: ReadOptions,
): FetchOutcome {
  const { status, bytes, headers, exchange } = answer
  const seen = { ...attempt, ...(exchange && { exchange }) }
  const base = { ...seen, status, bytes }
  if (isChallenge(headers)) return { ...base, kind: 'denied', reason: 'challenge' }
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
  if (status >= 400 && status < 500 && !isForLater(status))
    return { ...base, kind: 'denied', ...whatIsAskedFor(headers) }
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
    ...(isOurFault(reason) && { brokenOff: true }),
    ...(status !== undefined && { status }),
    ...(exchange && { exchange }),
  }
}

/** Too slow, too early, too many: no word on the page itself. */
function isForLater(status: number): boolean {
  return status === 408 || status === 425 || status === 429
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

function whatIsAskedFor(headers: Headers): { reason?: string } {
  if (headers['accept-signature'] !== undefined) return { reason: 'asks for a signature' }
  return headers['www-authenticate'] === undefined ? {} : { reason: 'asks for a password' }
}

type Base = Omit<PageOutcome, 'kind' | 'page' | 'contentHash'> & { readonly exchange?: Exchange }

function readPage(
  base: Base,
  answer: HttpAnswer & Partial<UnpackedAnswer>,
  options: ReadOptions,
): FetchOutcome {
  const { headers } = answer
  const unreadable = (reason: string): FetchOutcome => ({ ...base, kind: 'unreadable', reason })
  const url = new URL(base.url)
  const wrongType = unreadableType(headers, url)
  if (wrongType !== undefined) return unreadable(`type ${wrongType}`)
  const { maxBodyBytes, maxDecodedBytes: maxPageBytes = maxBodyBytes } = options
  const maxDecodedBytes = decodedLimit(headers, url, options)
  const whole = answer.decoded ?? unpacked(answer, url.pathname, maxDecodedBytes)
  const isTooLarge = whole.kind === 'too-large'
  const decoded = isTooLarge ? unpackedBeginning(answer, url.pathname, maxDecodedBytes) : whole
  if (decoded.kind === 'too-large') return unreadable(`body over ${maxDecodedBytes} bytes`)
  if (decoded.kind === 'broken') return unreadable(decoded.reason)
  if (decoded.kind === 'cut') {
    const { bytes: _, ...seen } = base
    return { ...seen, kind: 'failed', reason: 'body cut short', sent: true }
  }
  const contentType = first(headers['content-type'])
  if (contentType === undefined && !looksLikeMarkup(decoded.body))
    return unreadable('no type, and it does not look like HTML')
  const innermost = innerType(contentType, base.url)
  const binary = binaryKind(decoded.body, mediaType(innermost))
  if (binary !== undefined)
    return unreadable(`sent as ${mediaType(innermost)}, but it is ${binary}`)
  const isLong = decoded.body.length > maxPageBytes
  const mayBeCut = answer.truncated || isTooLarge || isLong
  const isXmlList = mayBeCut && looksLikeXmlList(decoded.body)
  const isCut = answer.truncated || isTooLarge || (isLong && !isXmlList)
  // Sitemaps are in UTF-8 by their protocol; to decode 50 MiB of some other charset takes a second.
  const type = isLong && isXmlList ? `${mediaType(innermost)}; charset=utf-8` : innermost
  const body = isCut ? beginningToRead(decoded.body, isXmlList, maxPageBytes) : decoded.body
  const parsed = parsePage(body, type, base.url, options.agentToken, options.isNamedBy)
  if (parsed.form === 'page' && !isPageType(contentType, decoded.body))
    return unreadable(`type ${mediaType(contentType!)}, but neither sitemap nor feed`)
  const page = withHeaders(
    isCut ? { ...parsed, cut: true } : parsed,
    headers,
    base,
    options.agentToken,
  )
  const etag = first(headers.etag)
  const lastModified = first(headers['last-modified'])
  return {
    ...base,
    kind: 'page',
    page: page.page,
    ...(page.found.length > 0 && { found: page.found }),
    contentHash: contentHash(decoded.body, page.asked),
    ...(etag !== undefined && { etag }),
    ...(lastModified !== undefined && { lastModified }),
  }
}

/** A list of addresses may be longer than any page: sites split it by their number. */
function decodedLimit(headers: Headers, { pathname }: URL, options: ReadOptions): number {
  const { maxBodyBytes, maxDecodedBytes = maxBodyBytes } = options
  const mayBeList = isListType(headers) || PACKED_FILE.test(pathname)
  return mayBeList ? Math.max(maxDecodedBytes, SITEMAP_BYTES) : maxDecodedBytes
}

/** Whether a body is a sitemap or feed, by how it begins. */
function looksLikeXmlList(body: Uint8Array): boolean {
  return beginsXmlList(new TextDecoder().decode(body.subarray(0, BEGINNING_BYTES)))
}

/** Of a body that was cut, what can be read: a list without the entry in which it was cut off, a page up to the limit. */
function beginningToRead(body: Uint8Array, isXmlList: boolean, maxPageBytes: number): Uint8Array {
  const most = isXmlList ? body : body.subarray(0, maxPageBytes)
  const bytes = Buffer.from(most.buffer, most.byteOffset, most.length)
  const end = bytes.lastIndexOf(isXmlList ? '</' : '\n')
  return end < 0 ? most : most.subarray(0, end)
}

function isListType(headers: Headers): boolean {
  return FEED_TYPE.test(mediaType(first(headers['content-type']) ?? ''))
}

/** The body freed of its Content-Encoding, and a sitemap of its own packing. */
function unpacked(answer: HttpAnswer, path: string, maxBytes: number): DecodedBody {
  const { headers, body, truncated } = answer
  const decoded = decodeBody(body, joined(headers['content-encoding']), maxBytes, truncated)
  // Many servers send a packed sitemap under the type of what is in it.
  const isPacked =
    GZIP_TYPE.test(mediaType(first(headers['content-type']) ?? '')) || PACKED_FILE.test(path)
  if (decoded.kind !== 'decoded' || !isPacked || !isGzip(decoded.body)) return decoded
  return decodeBody(decoded.body, 'gzip', maxBytes, truncated)
}

/** As much of it as the limit allows; a list that is packed in itself is longer than its protocol allows, and left. */
function unpackedBeginning(answer: HttpAnswer, path: string, maxBytes: number): DecodedBody {
  const { headers, body } = answer
  if (PACKED_FILE.test(path)) return { kind: 'too-large' }
  return decodedBeginning(body, joined(headers['content-encoding']), maxBytes)
}

function isGzip(body: Uint8Array): boolean {
  return body[0] === 0x1f && body[1] === 0x8b
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
  return /<html[\s>]/i.test(beginningOf(body))
}

function beginningOf(body: Uint8Array): string {
  return Buffer.from(body.buffer, body.byteOffset, body.length).toString(
    'latin1',
    0,
    BEGINNING_BYTES,
  )
}

/**
 * What the headers add to what the page says of itself. Of directives the stricter counts; a canonical
 * address in the page wins over a header's, which is often set for a whole server at once.
 */
function withHeaders(page: ParsedPage, headers: Headers, { url, at }: Base, agentToken: string) {
  const asked = readDirectives(headers['x-robots-tag'], agentToken)
  const { noarchive, nosnippet, ...strict } = mergeDirectives({ ...NO_DIRECTIVES, ...page }, asked)
  const { canonical, links } = parseLinkHeader(headers.link ?? [], url)
  const { unavailableAfter = Number.POSITIVE_INFINITY } = strict
  const usage = joined(headers['content-usage'])?.slice(0, MAX_USAGE_CHARS)
  const noSearch = usage !== undefined && forbidsSearch(usage)
  const merged: ParsedPage = {
    ...page,
    ...strict,
    noindex: strict.noindex || unavailableAfter <= at || noSearch,
    ...(noarchive && { noarchive }),
    ...(nosnippet && { nosnippet }),
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
