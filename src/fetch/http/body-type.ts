import { type DocumentFormat, declaredFormat } from '#parse/page/document-format.ts'
import { beginsXmlList } from '#parse/parse-page.ts'
import type { Headers } from './http-get.ts'

const PAGE_TYPE = /^(text\/html|application\/xhtml\+xml|text\/(plain|markdown|csv))$/
const FEED_TYPE = /^(application|text)\/(xml|rss\+xml|atom\+xml|rdf\+xml|feed\+json)$/
export const GZIP_TYPE = /^application\/(x-)?gzip$|^application\/octet-stream$/
export const PACKED_FILE = /\.(xml|txt|rss|atom)\.gz$/i
/** By so much it is told what a body is. */
const BEGINNING_BYTES = 2048

/** The media type when it is none of ours; a missing one is judged by the body. */
export function unreadableType(
  headers: Headers,
  { pathname }: URL,
  documents: readonly DocumentFormat[] = [],
): string | undefined {
  const header = first(headers['content-type'])
  if (header === undefined) return undefined
  const type = mediaType(header)
  if (PAGE_TYPE.test(type) || FEED_TYPE.test(type)) return undefined
  const format = declaredFormat(type, pathname)
  if (format !== undefined && documents.includes(format)) return undefined
  // Types that say little need a name that says more.
  if (type === 'application/json' && /feed/i.test(pathname)) return undefined
  if (GZIP_TYPE.test(type) && PACKED_FILE.test(pathname)) return undefined
  return type.slice(0, 60) || 'unnamed'
}

export function mediaType(contentType: string): string {
  return contentType.split(';', 1)[0].trim().toLowerCase()
}

/** The first thing after a byte order mark and white space is a `<`. */
export function looksLikeMarkup(body: Uint8Array): boolean {
  const start = body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf ? 3 : 0
  for (const byte of body.subarray(start, start + 1024)) {
    if (byte === 0x3c) return true
    if (byte !== 0x20 && (byte < 0x09 || byte > 0x0d)) return false
  }
  return false
}

export function first(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header
}

export function joined(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header.join(',') : header
}
/** Whether a body is a sitemap or feed, by how it begins. */
export function looksLikeXmlList(body: Uint8Array): boolean {
  return beginsXmlList(new TextDecoder().decode(body.subarray(0, BEGINNING_BYTES)))
}

export function isListType(headers: Headers): boolean {
  return FEED_TYPE.test(mediaType(first(headers['content-type']) ?? ''))
}

export function isGzip(body: Uint8Array): boolean {
  return body[0] === 0x1f && body[1] === 0x8b
}

/** What is inside: a packed file's own type says only that it is packed. */
export function innerType(contentType: string | undefined, url: string): string {
  if (contentType === undefined) return 'text/html'
  if (!GZIP_TYPE.test(mediaType(contentType))) return contentType
  return /\.txt\.gz$/i.test(new URL(url).pathname) ? 'text/plain' : 'application/xml'
}

/** XML may be XHTML; any other XML or JSON that is neither sitemap nor feed is no page. */
export function isPageType(contentType: string | undefined, body: Uint8Array): boolean {
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
