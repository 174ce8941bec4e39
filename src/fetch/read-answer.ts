import type { FetchOutcome, PageOutcome } from '#crawl/outcome.ts'
import { canonicalUrl } from '#parse/canonical-url.ts'
import { parsePage } from '#parse/parse-page.ts'
import { contentHash } from './content-hash.ts'
import { decodeBody } from './decode-body.ts'
import type { Headers, HttpAnswer } from './http-get.ts'
import { readXRobotsTag } from './x-robots-tag.ts'

export interface Attempt {
  readonly id: number
  readonly url: string
  readonly at: number
  readonly ms: number
}

export interface ReadOptions {
  readonly agentToken: string
  readonly maxBodyBytes: number
}

const READABLE = /^(text\/html|application\/xhtml\+xml|text\/plain)$/

/** True for the answers whose body may be a page: all others end with their headers. */
export function mayBePage(status: number, headers: Headers): boolean {
  return isPageStatus(status) && unreadableType(headers) === undefined
}

/** What an HTTP answer means for the crawl. */
export function readAnswer(
  attempt: Attempt,
  answer: HttpAnswer,
  options: ReadOptions,
): FetchOutcome {
  const { status, bytes, headers } = answer
  const base = { ...attempt, status, bytes }
  if (isPageStatus(status)) return readPage(base, answer, options)
  if (status >= 200 && status < 300)
    return { ...base, kind: 'unreadable', reason: `status ${status} carries no page` }
  if (status >= 300 && status < 400) {
    const location = first(headers.location)
    const target = location === undefined ? undefined : canonicalUrl(location, attempt.url)
    if (target) return { ...base, kind: 'redirect', target }
    const reason = location === undefined ? 'redirect without Location' : 'redirect to no valid URL'
    return { ...attempt, kind: 'failed', reason, status, sent: true }
  }
  if (status === 404 || status === 410) return { ...base, kind: 'gone' }
  if (status >= 400 && status < 500 && status !== 429) return { ...base, kind: 'denied' }
  return { ...attempt, kind: 'failed', reason: `status ${status}`, status, sent: true }
}

/** 202 is left out: challenge pages come with it. */
function isPageStatus(status: number): boolean {
  return status === 200 || status === 203
}

function readPage(
  base: Omit<PageOutcome, 'kind' | 'page' | 'contentHash'>,
  answer: HttpAnswer,
  { agentToken, maxBodyBytes }: ReadOptions,
): FetchOutcome {
  const { headers } = answer
  const type = unreadableType(headers)
  if (type !== undefined) return { ...base, kind: 'unreadable', reason: `type ${type}` }
  // Half a page would have half its links and a hash that says nothing: better none.
  const tooLarge = {
    ...base,
    kind: 'unreadable',
    reason: `body over ${maxBodyBytes} bytes`,
  } as const
  if (answer.truncated) return tooLarge
  const decoded = decodeBody(answer.body, joined(headers['content-encoding']), maxBodyBytes)
  if (decoded.kind === 'too-large') return tooLarge
  if (decoded.kind === 'broken') return { ...base, kind: 'unreadable', reason: decoded.reason }
  if (decoded.kind === 'cut') {
    const { id, url, at, ms, status } = base
    return { id, url, at, ms, status, kind: 'failed', reason: 'body cut short', sent: true }
  }
  const contentType = first(headers['content-type'])
  if (contentType === undefined && !looksLikeMarkup(decoded.body))
    return { ...base, kind: 'unreadable', reason: 'no type, and it does not look like HTML' }
  const page = parsePage(decoded.body, contentType ?? 'text/html', base.url)
  const asked = readXRobotsTag(headers['x-robots-tag'], agentToken)
  const etag = first(headers.etag)
  const lastModified = first(headers['last-modified'])
  return {
    ...base,
    kind: 'page',
    page: {
      ...page,
      noindex: page.noindex || asked.noindex,
      nofollow: page.nofollow || asked.nofollow,
    },
    contentHash: contentHash(decoded.body),
    ...(etag !== undefined && { etag }),
    ...(lastModified !== undefined && { lastModified }),
  }
}

/** The media type when it is none of ours; a missing one is judged by the body. */
function unreadableType(headers: Headers): string | undefined {
  const header = first(headers['content-type'])
  if (header === undefined) return undefined
  const type = header.split(';', 1)[0].trim().toLowerCase()
  return READABLE.test(type) ? undefined : type.slice(0, 60) || 'unnamed'
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
