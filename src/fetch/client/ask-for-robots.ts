import { canonicalUrl } from '#parse/url/canonical-url.ts'
import { decodeBody } from '../http/decode-body.ts'
import type { HttpAnswer, HttpFailure } from '../http/http-get.ts'
import { retryAfterSeconds } from '../http/retry-after.ts'
import { maxAgeSeconds, type RobotsFinding } from './robots-record.ts'

/** RFC 9309 §2.5: at least this much must be read; what follows is ignored. */
export const ROBOTS_BYTES = 500 * 1024
/** RFC 9309 §2.3.1.2: at least five, also to other hosts. */
const MAX_REDIRECTS = 5

/**
 * One GET of a robots.txt; how, and with what patience, is the fetcher's business. Nothing comes back
 * when it was called off: that says nothing about the site.
 */
export type GetRobots = (url: URL) => Promise<HttpAnswer | HttpFailure | undefined>

/** Asks an origin for its robots.txt, wherever it sends us; its rules are the origin's own. */
export async function askForRobots(
  origin: string,
  get: GetRobots,
  closedWhenDenied: boolean,
  now: () => number,
): Promise<RobotsFinding | { kind: 'forbidden'; reason: string } | undefined> {
  let url = new URL('/robots.txt', origin)
  for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
    const answer = await get(url)
    if (answer === undefined) return undefined
    if (answer.kind === 'failure') {
      // Only the origin itself can be out of bounds: a redirect to such a place is the site's fault.
      const kind = answer.forbidden && hop === 0 ? 'forbidden' : 'unreachable'
      return { kind, reason: answer.reason }
    }
    const { status, headers } = answer
    if (status < 300 || status >= 400) return findingOf(answer, closedWhenDenied, now())
    const location = [headers.location].flat()[0]
    const target = location && canonicalUrl(location, url.href)
    if (!target) break
    url = new URL(target)
  }
  // No end of redirects, or one to nowhere: no such file, so nothing is forbidden (§2.3.1.2).
  return { kind: 'none' }
}

function findingOf(answer: HttpAnswer, closedWhenDenied: boolean, now: number): RobotsFinding {
  const { status, headers } = answer
  const maxAge = maxAgeSeconds(headers['cache-control'])
  const age = maxAge === undefined ? {} : { maxAgeSeconds: maxAge }
  // 429 is no word on the rules: the server is busy, as with 5xx.
  if (status === 429 || status >= 500) {
    const wait = retryAfterSeconds(status, headers, now)
    const asked = wait === undefined ? {} : { retryAfterSeconds: wait }
    return { kind: 'unreachable', reason: `status ${status}`, ...asked }
  }
  if (closedWhenDenied && (status === 401 || status === 403))
    return { kind: 'closed', reason: `status ${status}` }
  if (status >= 400) return { kind: 'none', ...age }
  const text = textOf(answer)
  return typeof text === 'string'
    ? { kind: 'file', text, ...age }
    : { kind: 'unreachable', reason: `body ${text.kind}` }
}

function textOf(answer: HttpAnswer): string | { kind: string } {
  const encoding = [answer.headers['content-encoding']].flat().join(',')
  // Packed text grows about tenfold at most; a larger file is no rules file but a bomb.
  const decoded = decodeBody(answer.body, encoding, 32 * ROBOTS_BYTES)
  if (decoded.kind !== 'decoded') return decoded
  const text = new TextDecoder().decode(decoded.body.subarray(0, ROBOTS_BYTES))
  const isCut = answer.truncated || decoded.body.length > ROBOTS_BYTES
  // Half a line may forbid far more than the whole: `Disallow: /` of `Disallow: /private`.
  return isCut ? text.slice(0, text.lastIndexOf('\n') + 1) : text
}
