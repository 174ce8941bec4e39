import { decodeBody } from '#fetch/http/decode-body.ts'
import type { ParsedPage } from '#parse/page/page.ts'
import { parsePage } from '#parse/parse-page.ts'
import { decodeBody as decodeText } from '#parse/text/charset.ts'
import { canonicalUrl, hostOf } from '#parse/url/canonical-url.ts'
import { type HttpMessage, readHttpMessage } from '#repository/warc/read/http-message.ts'
import type { WarcRecord } from '#repository/warc/read/warc-reader.ts'
import { secondsOf } from '#repository/warc/warc-files.ts'

/** What one record tells about the web at one moment. */
export type Capture = { readonly at: number } & (
  | {
      readonly kind: 'page'
      readonly url: string
      readonly page: ParsedPage
      readonly digest?: string
    }
  | {
      readonly kind: 'redirect'
      readonly url: string
      readonly target: string
      readonly digest?: string
    }
  | { readonly kind: 'gone'; readonly url: string }
  /** The same bytes as an earlier capture: that with the digest, or else the one before. */
  | { readonly kind: 'unchanged'; readonly url: string; readonly digest?: string }
  | { readonly kind: 'robots'; readonly host: string; readonly text: string }
  | { readonly kind: 'seed'; readonly url: string }
)

/** Types of records whose blocks are worth reading. */
export const READ_TYPES: ReadonlySet<string> = new Set(['response', 'revisit', 'metadata'])

const MAX_PAGE_BYTES = 1 << 25
const MAX_ROBOTS_CHARS = 512_000
const PAGE_TYPE = /^\s*(?:text\/html|application\/xhtml\+xml|text\/plain)\s*(?:;|$)/i
/** Before 1970 nobody crawled, and later days cannot be written as archives do: a clock was wrong. */
const YEAR_10000 = Date.UTC(10_000) / 1000
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/** What a WARC record says; undefined for what is no page and says nothing about one. */
export function captureOf(record: WarcRecord): Capture | undefined {
  const { fields, type } = record
  if (!READ_TYPES.has(type)) return undefined
  const url = canonicalUrl(fields.get('warc-target-uri') ?? '')
  const at = secondsOf(fields.get('warc-date') ?? '')
  if (url === undefined || at === undefined || !(at >= 0 && at < YEAR_10000)) return undefined
  if (type === 'metadata') return isSeed(record) ? { kind: 'seed', url, at } : undefined
  const digest = fields.get('warc-payload-digest')
  const http = readHttpMessage(record.block)
  if (new URL(url).pathname === '/robots.txt')
    return http && type === 'response' ? robotsOf(url, at, http) : undefined
  // A revisit need not repeat the head of the answer.
  if (type === 'revisit' && (!http || http.status < 300 || http.status === 304))
    return { kind: 'unchanged', url, at, digest }
  return http && captureOfAnswer(url, at, digest, http)
}

function captureOfAnswer(
  url: string,
  at: number,
  digest: string | undefined,
  http: HttpMessage,
): Capture | undefined {
  const { status, headers } = http
  if (status === 404 || status === 410) return { kind: 'gone', url, at }
  if (status === 304) return { kind: 'unchanged', url, at }
  if (REDIRECTS.has(status)) {
    const location = headers.get('location')
    const target = location === undefined ? undefined : canonicalUrl(location, url)
    return target === undefined ? undefined : { kind: 'redirect', url, at, target }
  }
  const contentType = headers.get('content-type')
  if (status !== 200 && status !== 203) return undefined
  if (contentType !== undefined && !PAGE_TYPE.test(contentType)) return undefined
  const body = decodedBody(http)
  if (!body || (contentType === undefined && !/^\s*</.test(decodeText(body.subarray(0, 1000)))))
    return undefined
  const page = parsePage(body, contentType ?? 'text/html', url)
  return page.form === 'page' ? { kind: 'page', url, at, page, digest } : undefined
}

function robotsOf(url: string, at: number, http: HttpMessage): Capture | undefined {
  const body = http.status === 200 ? decodedBody(http) : undefined
  if (!body) return undefined
  return {
    kind: 'robots',
    host: hostOf(url),
    text: decodeText(body).slice(0, MAX_ROBOTS_CHARS),
    at,
  }
}

function decodedBody({ body, headers }: HttpMessage): Uint8Array | undefined {
  const decoded = decodeBody(body, headers.get('content-encoding'), MAX_PAGE_BYTES)
  return decoded.kind === 'decoded' ? decoded.body : undefined
}

/** Crawlers note seeds in a `seed` line of the metadata they keep beside the answer. */
function isSeed({ block }: WarcRecord): boolean {
  return /^seed[ \t]*(?::.*)?\r?$/im.test(block.toString('latin1', 0, 4096))
}
