export interface Patience {
  /** A call that has sent little does not end before this while it has something to send. */
  readonly minCallSeconds: number
  /** Hosts that rest between requests are waited for no longer than this. */
  readonly maxCallSeconds: number
  /** Answers that have been owed for longer are not waited for while others could be asked. */
  readonly lateSeconds: number
}

/** How one host stands with a call. */
export interface HostOutlook {
  /** For how long it has owed us an answer, if it does. */
  readonly owesForSeconds?: number
  /** Until it may be sent the next request; nothing when none is left. */
  readonly readyInSeconds?: number
  /** It rests between requests. */
  readonly rests: boolean
}

/** How far a call has come. */
interface CallProgress {
  /** Hosts it could keep busy at once. */
  readonly width: number
  readonly elapsedSeconds: number
  readonly sent: number
}

/** A call that has sent so much was worth its plan. */
const ENOUGH_SENT = 20

/**
 * Whether a call had better end, so that a new plan can keep more hosts busy. A host is of use while
 * it is not late, or may be sent something within `minCallSeconds`. The call ends when fewer than half
 * as many hosts are of use as it could keep busy (`width`), or at `maxCallSeconds`; but never while a
 * host is of use that needs no rest: nobody is kept waiting by that one. When nothing is left but
 * late answers, perhaps from earlier calls, it ends soon, whatever else their hosts are to be asked.
 */
export function hadBetterEnd(
  hosts: readonly HostOutlook[],
  { width, elapsedSeconds, sent }: CallProgress,
  { minCallSeconds, maxCallSeconds, lateSeconds }: Patience,
): boolean {
  const onlyLateAnswers = hosts.every(({ owesForSeconds = 0 }) => owesForSeconds >= lateSeconds)
  // Counted within this call too: answers late for long would else end every call at once.
  if (onlyLateAnswers && elapsedSeconds >= lateSeconds) return true
  const leastSeconds = sent < ENOUGH_SENT ? minCallSeconds : lateSeconds
  if (elapsedSeconds < leastSeconds) return false
  const useful = hosts.filter(({ owesForSeconds, readyInSeconds = Number.POSITIVE_INFINITY }) =>
    owesForSeconds === undefined ? readyInSeconds < minCallSeconds : owesForSeconds < lateSeconds,
  )
  if (useful.some(({ rests }) => !rests)) return false
  return elapsedSeconds >= maxCallSeconds || useful.length < width / 2
}
