import type { FetchOutcome } from '#learn/entries/outcome.ts'
import type { Reaction } from '../manners/backoff.ts'
import { isFlood } from '../wire/failure-reason.ts'
import type { HttpAnswer, HttpFailure } from './http-get.ts'
import { retryAfterSeconds } from './retry-after.ts'

/** Failures of our own making, which say nothing about the host. */
export const OUT_OF_BYTES = 'out of bytes'
export const OUT_OF_TIME = 'out of time'
const CLOSED = 'fetcher closed'

/** Whether a request failed through us. */
export function isOurFault(reason: string): boolean {
  return reason === OUT_OF_BYTES || reason === OUT_OF_TIME || reason === CLOSED
}

/** What a fetch tells about the host, as its manners see it. */
export function reactionOf(outcome: FetchOutcome): Reaction {
  const { ms } = outcome
  if (outcome.kind === 'forbidden' || outcome.kind === 'disallowed') return { kind: 'unasked', ms }
  if (outcome.kind !== 'failed') return { kind: 'fine', ms }
  const { reason, sent, status, retryAfterSeconds } = outcome
  if (reason === OUT_OF_BYTES) return { kind: 'fine', ms }
  if (reason === OUT_OF_TIME || reason === CLOSED)
    return { kind: sent ? 'brokenOff' : 'unasked', ms }
  const asked = retryAfterSeconds === undefined ? {} : { retryAfterSeconds }
  return { kind: sent ? failureKind(reason, status) : 'unreached', ms, reason, ...asked }
}

/** The same for a robots.txt. */
export function reactionToRobots(
  answer: HttpAnswer | HttpFailure,
  ms: number,
  now: number,
): Reaction {
  if (answer.kind === 'failure') {
    if (answer.forbidden) return { kind: 'unasked', ms }
    const { reason, sent } = answer
    return { kind: sent ? failureKind(reason) : 'unreached', ms, reason }
  }
  const { status, headers } = answer
  const seconds = retryAfterSeconds(status, headers, now)
  const asked = seconds === undefined ? {} : { retryAfterSeconds: seconds }
  return { kind: status < 300 ? 'fine' : kindOf(status), ms, reason: `status ${status}`, ...asked }
}

function failureKind(reason: string, status?: number): Reaction['kind'] {
  return isFlood(reason) ? 'flooding' : kindOf(status)
}

/** Without a status, or with a good one whose body did not come, the host is failing. */
function kindOf(status: number | undefined): Reaction['kind'] {
  if (status === 429 || status === 503) return 'busy'
  return status === undefined || status >= 500 || status < 300 ? 'failing' : 'fine'
}
