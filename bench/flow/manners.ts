import type { Asked } from '../harness/served-crawl.ts'

/** What the defaults promise a host. */
export const DELAY_MS = 1_000
const RESPONSE_FACTOR = 2
const MOST_REST_MS = 30_000
/** Timers keep whole milliseconds only. */
const TOLERANCE_MS = 5

/** What a server may complain of. */
export interface Complaints {
  readonly requests: number
  /** Asked while it was still answering this crawler. */
  readonly atOnce: number
  /** Asked before the politeness delay had passed. */
  readonly tooSoon: number
  /** Asked before the time it had named. */
  readonly notLeftAlone: number
  readonly shortestGapMs: number
}

/** Judges by what the servers saw, host by host: gaps are from the end of an answer to the next request. */
export function complaintsOf(asked: readonly Asked[]): Complaints {
  const byHost = Map.groupBy(asked, ({ host }) => host)
  const complaints = { atOnce: 0, tooSoon: 0, notLeftAlone: 0 }
  let shortestGapMs = Number.POSITIVE_INFINITY
  for (const requests of byHost.values()) {
    requests.sort((a, b) => a.at - b.at)
    requests.slice(1).forEach(({ at }, i) => {
      const last = requests[i]
      const gapMs = at - last.endedAt
      shortestGapMs = Math.min(shortestGapMs, gapMs)
      if (gapMs < 0) complaints.atOnce++
      else if (gapMs < delayAfter(last) - TOLERANCE_MS) complaints.tooSoon++
      else if (gapMs < 1_000 * (last.retryAfterSeconds ?? 0) - TOLERANCE_MS)
        complaints.notLeftAlone++
    })
  }
  return { requests: asked.length, ...complaints, shortestGapMs: Math.round(shortestGapMs) }
}

export function isPolite({ atOnce, tooSoon, notLeftAlone }: Complaints): boolean {
  return atOnce + tooSoon + notLeftAlone === 0
}

/** Of several crawls. */
export function addedUp(all: readonly Complaints[]): Complaints {
  const sum = (field: keyof Complaints) => all.reduce((sum, each) => sum + each[field], 0)
  return {
    requests: sum('requests'),
    atOnce: sum('atOnce'),
    tooSoon: sum('tooSoon'),
    notLeftAlone: sum('notLeftAlone'),
    shortestGapMs: Math.min(...all.map(({ shortestGapMs }) => shortestGapMs)),
  }
}

function delayAfter({ at, endedAt }: Asked): number {
  return Math.max(DELAY_MS, Math.min(MOST_REST_MS, RESPONSE_FACTOR * (endedAt - at)))
}
