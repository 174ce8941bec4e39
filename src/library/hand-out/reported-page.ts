import type { FetchRequest } from '#crawl/ports.ts'
import type { Headers } from '#fetch/http/http-get.ts'
import { readAnswer } from '#fetch/http/read-answer.ts'
import type { FetchOutcome } from '#learn/entries/outcome.ts'

/** What another program got for a URL. */
interface ReportedPage {
  readonly status: number
  readonly headers: Headers
  readonly body: Uint8Array
  /** Seconds since 1970, when the answer was complete. */
  readonly at: number
  /** Where it ended up, if it followed redirects. */
  readonly loadedUrl?: string
}

/** Longer ones are cut. */
const MOST_BYTES = 10 * 1024 * 1024

/** The outcome of a fetch that another program made: what it got is read as our own fetches are. */
export function reportedOutcome(
  { id, url }: FetchRequest,
  { status, headers, body, at, loadedUrl = url }: ReportedPage,
): FetchOutcome {
  const attempt = { id, url, at, ms: 0 }
  const target = new URL(loadedUrl)
  target.hash = ''
  if (target.href !== new URL(url).href)
    return { ...attempt, kind: 'redirect', status: 302, bytes: 0, target: target.href }
  const bytes = body.length
  // Whoever has a body as text has unpacked it.
  const { 'content-encoding': _, ...plain } = headers
  return readAnswer(
    attempt,
    { kind: 'answer', status, body, bytes, truncated: false, headers: plain },
    { agentToken: 'forager', maxBodyBytes: MOST_BYTES },
  )
}
