import { hash32 } from '#numeric/hash.ts'

/** A host's bad times; all zero for most. */
export interface Backoff {
  readonly name: string
  /** Left alone until then. */
  backoffUntil: number
  /** What the latest pause was meant to be; the next is twice that, good answers halve it. */
  backoffSeconds: number
  /** Failures in a row. */
  failures: number
  /** The latest failure's. */
  reason: string
}

/** What an answer, or its absence, tells about the host. */
export interface Reaction {
  /**
   * `busy`: 429 or 503; `failing`: no good answer; `unreached`: no connection; `flooding`: we hung up on
   * it; `unasked`: not sent; `brokenOff`: we had no more time for it.
   */
  readonly kind: 'fine' | 'busy' | 'failing' | 'unreached' | 'flooding' | 'unasked' | 'brokenOff'
  readonly ms: number
  readonly reason?: string
  readonly retryAfterSeconds?: number
}

interface FirstPauses {
  readonly busySeconds: number
  readonly failingSeconds: number
}

/** "Come back next year" is a mistake, or nothing to be honoured to the letter. */
const MAX_RETRY_AFTER_SECONDS = 86_400
const MAX_BACKOFF_SECONDS = 3_600
/** So many failures in a row, those without a connection counted twice, and the host is left alone. */
const MAX_FAILURES = 6

/** As how many failures each counts. A flood costs us more than a page does: once is enough. */
const WEIGHTS = { failing: 1, unreached: 2, flooding: MAX_FAILURES } as const

/** True until a host that was left alone has proved itself: one request at a time is enough. */
export function isOnProbation({ backoffSeconds, failures }: Backoff): boolean {
  return backoffSeconds > 0 || failures >= MAX_FAILURES
}

/** A busy or flooding host is left alone at once, a failing one after a row of failures; good answers forgive. */
export function learnFromReaction(
  host: Backoff,
  { kind, reason = '', retryAfterSeconds = 0 }: Reaction,
  now: number,
  first: FirstPauses,
): void {
  if (kind === 'unasked' || kind === 'brokenOff') return
  if (kind === 'fine') {
    host.failures = 0
    host.backoffSeconds = host.backoffSeconds <= first.busySeconds / 8 ? 0 : host.backoffSeconds / 2
    return
  }
  host.reason = reason
  if (kind === 'busy') {
    leaveAlone(host, first.busySeconds, now, retryAfterSeconds)
    return
  }
  // Past the limit it stays there, so that a single failed probe closes the door again.
  host.failures = Math.min(host.failures + WEIGHTS[kind], MAX_FAILURES)
  if (host.failures === MAX_FAILURES) leaveAlone(host, first.failingSeconds, now, retryAfterSeconds)
}

/**
 * Twice as long as the last time, and up to half as long again at random by host, so that
 * hosts that broke down together are not all tried again together. The first time, a server that
 * says how long is taken at its word; if that was not enough, the longer of the two counts.
 */
function leaveAlone(host: Backoff, first: number, now: number, retryAfterSeconds: number): void {
  const asked = Math.min(retryAfterSeconds, MAX_RETRY_AFTER_SECONDS)
  // Several answers may tell of the same trouble: that is one reason to wait, not several.
  if (host.backoffUntil > now) {
    host.backoffUntil = Math.max(host.backoffUntil, now + asked)
    return
  }
  const isFirst = host.backoffSeconds === 0
  host.backoffSeconds = Math.min(Math.max(first, 2 * host.backoffSeconds), MAX_BACKOFF_SECONDS)
  const lot = hash32(host.name, Math.round(host.backoffSeconds)) / 2 ** 32
  const own = host.backoffSeconds * (1 + lot / 2)
  host.backoffUntil = now + (isFirst && asked > 0 ? asked : Math.max(own, asked))
}
