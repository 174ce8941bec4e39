import type { FetchRequest } from '#crawl/ports.ts'
import type { FetchOutcome } from '#learn/entries/outcome.ts'
import type { RobotsState } from '../robots/robots-cache.ts'

/** What becomes of a request whose host is left alone for so long. */
export function putOff(
  { id, url }: FetchRequest,
  at: number,
  reason: string,
  waitSeconds: number,
): FetchOutcome {
  const retryAfterSeconds = Math.max(0, Math.ceil(waitSeconds))
  return { id, url, at, ms: 0, kind: 'failed', reason, sent: false, retryAfterSeconds }
}

/** One request of each scheme of a host. */
export function oneOfEachOrigin(requests: readonly FetchRequest[]): Iterable<FetchRequest> {
  return new Map(requests.map((request) => [request.url.startsWith('https:'), request])).values()
}

/** What becomes of a request that a line of robots.txt forbids. */
export function disallowed({ id, url }: FetchRequest, at: number, rule: string): FetchOutcome {
  return { id, url, at, ms: 0, kind: 'disallowed', rule }
}

/** What becomes of a request to an origin whose robots.txt gives no rules to go by. */
export function turnedAway(
  request: FetchRequest,
  at: number,
  state: Exclude<RobotsState, { kind: 'rules' }>,
  now: number,
): FetchOutcome {
  const { id, url } = request
  if (state.kind === 'forbidden')
    return { id, url, at, ms: 0, kind: 'forbidden', reason: state.reason }
  const { kind, reason, validUntil } = state.record
  if (kind === 'closed') return disallowed(request, at, `robots.txt answers ${reason}`)
  return putOff(request, at, `robots.txt unreachable (${reason})`, validUntil - now)
}
