import type { Exchange, FetchOutcome, PageOutcome } from '#learn/entries/outcome.ts'
import type { NamesSitemap } from '#parse/feeds/sitemap.ts'
import type { FieldRule } from '#parse/fields/field-rules.ts'
import { containerOf, type DocumentFormat, declaredFormat } from '#parse/page/document-format.ts'
import type { ParsedPage } from '#parse/page/page.ts'
import { parsePage } from '#parse/parse-page.ts'
import { canonicalUrl } from '#parse/url/canonical-url.ts'
import type { ReadDocument } from '../documents/read-document.ts'
import { binaryKind } from './binary-body.ts'
import {
  first,
  GZIP_TYPE,
  innerType,
  isGzip,
  isListType,
  isPageType,
  joined,
  looksLikeMarkup,
  looksLikeXmlList,
  mediaType,
  PACKED_FILE,
  unreadableType,
} from './body-type.ts'
import { contentHash } from './content-hash.ts'
import { type DecodedBody, decodeBody, decodedBeginning } from './decode-body.ts'
import type { Headers, HttpAnswer, HttpFailure } from './http-get.ts'
import { withHeaders } from './page-headers.ts'
import { isOurFault } from './reaction.ts'
import { sourceOf } from './source-of.ts'

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
  /** Which documents are read beside pages; none, if left out. */
  readonly documents?: readonly DocumentFormat[]
  /** The operator's own fields. */
  readonly fields?: readonly FieldRule[]
  /** For a sitemap: whose robots.txt names it. */
  readonly isNamedBy?: NamesSitemap
  /** Gives the markup of a page along, for whoever renders it. */
  readonly keepSource?: boolean
}

/** Real ones have some fifty; a header may have 64 KB. */
const MOST_VALIDATOR_CHARS = 200

/** What the protocol allows a sitemap, once it is unpacked. */
const SITEMAP_BYTES = 50 * 1024 * 1024

/** Whether the body may be a page, sitemap or feed: all others end with their headers. */
export function mayBePage(
  status: number,
  headers: Headers,
  url: URL,
  documents?: readonly DocumentFormat[],
): boolean {
  if (!isPageStatus(status) || isChallenge(headers)) return false
  return unreadableType(headers, url, documents) === undefined
}

/** An answer whose body has been freed of its encoding, if it may be a page and is not long. */
interface UnpackedAnswer extends HttpAnswer {
  readonly decoded?: DecodedBody
  /** What it says, if it is a document, which was read elsewhere. */
  readonly document?: ReadDocument
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
  if (!mayBePage(status, headers, target, options.documents)) return { ...answer, isLong: false }
  const limit = decodedLimit(headers, target, options)
  // Documents are read on another thread, and are mostly packed in themselves.
  if (isDocumentType(headers, target)) return unpackedDocument(answer, target, limit)
  const decoded = unpacked(answer, target.pathname, Math.min(limit, lightBytes))
  if (decoded.kind === 'too-large' && limit > lightBytes) return { ...answer, isLong: true }
  return { ...answer, decoded, isLong: false }
}

function isDocumentType(headers: Headers, { pathname }: URL): boolean {
  return declaredFormat(mediaType(first(headers['content-type']) ?? ''), pathname) !== undefined
}

function unpackedDocument(answer: HttpAnswer, url: URL, limit: number): UnpackedAnswer {
  const whole = unpacked(answer, url.pathname, limit)
  const isWhole = whole.kind !== 'too-large'
  const decoded = isWhole ? whole : unpackedBeginning(answer, url.pathname, limit)
  return { ...answer, truncated: answer.truncated || !isWhole, decoded, isLong: false }
}

/** First bytes of containers; no page begins so. */
const CONTAINER_BYTES = new Set(['%', 'P', '{'].map((sign) => sign.charCodeAt(0)))

/** The body of an answer that is a document, or called one; undefined for pages. */
export function documentIn(
  { url }: Attempt,
  { status, headers, decoded }: UnpackedAnswer,
): Uint8Array | undefined {
  if (decoded?.kind !== 'decoded' || !isPageStatus(status)) return undefined
  const { body } = decoded
  if (isDocumentType(headers, new URL(url))) return body
  return CONTAINER_BYTES.has(body[0]) && containerOf(body) ? body : undefined
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
  if (answer.document) return readPageOf(answer.document, base, answer, options)
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
  const parsed = parsePage(
    body,
    type,
    base.url,
    options.agentToken,
    options.isNamedBy,
    options.fields,
  )
  if (parsed.form === 'page' && !isPageType(contentType, decoded.body))
    return unreadable(`type ${mediaType(contentType!)}, but neither sitemap nor feed`)
  const page = isCut ? { ...parsed, cut: true as const } : parsed
  return {
    ...pageOutcome(page, decoded.body, base, headers, options),
    ...(options.keepSource && sourceOf(parsed, body, type)),
  }
}

/** What a document means, which was read elsewhere. */
function readPageOf(
  document: ReadDocument,
  base: Base,
  answer: HttpAnswer & Partial<UnpackedAnswer>,
  options: ReadOptions,
): FetchOutcome {
  const { headers, decoded, truncated } = answer
  const type = mediaType(first(headers['content-type']) ?? '') || 'no type'
  const unreadable = (reason: string): FetchOutcome => ({ ...base, kind: 'unreadable', reason })
  if ('fault' in document) return unreadable(`sent as ${type}: ${document.fault}`)
  const { page } = document
  if (!options.documents?.some((format) => format === page.format))
    return unreadable(`sent as ${type}, but it is ${page.format}`)
  const body = decoded?.kind === 'decoded' ? decoded.body : answer.body
  return pageOutcome(truncated ? { ...page, cut: true } : page, body, base, headers, options)
}

function pageOutcome(
  parsed: ParsedPage,
  body: Uint8Array,
  base: Base,
  headers: Headers,
  { agentToken }: ReadOptions,
): FetchOutcome {
  const { page, found, asked } = withHeaders(parsed, headers, base, agentToken)
  const etag = validator(headers.etag)
  const lastModified = validator(headers['last-modified'])
  return {
    ...base,
    kind: 'page',
    page,
    ...(found.length > 0 && { found }),
    contentHash: contentHash(body, asked),
    ...(etag !== undefined && { etag }),
    ...(lastModified !== undefined && { lastModified }),
  }
}

/** It is kept with the copy for good, so one that would fill memory, journal and tables counts as none. */
function validator(header: string | string[] | undefined): string | undefined {
  const value = first(header)
  return value !== undefined && value.length > MOST_VALIDATOR_CHARS ? undefined : value
}

/** A list of addresses may be longer than any page: sites split it by their number. */
function decodedLimit(headers: Headers, { pathname }: URL, options: ReadOptions): number {
  const { maxBodyBytes, maxDecodedBytes = maxBodyBytes } = options
  const mayBeList = isListType(headers) || PACKED_FILE.test(pathname)
  return mayBeList ? Math.max(maxDecodedBytes, SITEMAP_BYTES) : maxDecodedBytes
}

/** Of a body that was cut, what can be read: a list without the entry in which it was cut off, a page up to the limit. */
function beginningToRead(body: Uint8Array, isXmlList: boolean, maxPageBytes: number): Uint8Array {
  const most = isXmlList ? body : body.subarray(0, maxPageBytes)
  const bytes = Buffer.from(most.buffer, most.byteOffset, most.length)
  const end = bytes.lastIndexOf(isXmlList ? '</' : '\n')
  return end < 0 ? most : most.subarray(0, end)
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
