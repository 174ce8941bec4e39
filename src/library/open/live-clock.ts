import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '#crawl/ports.ts'

/** Timers take no longer time than this. */
const LONGEST_NAP_MS = 2 ** 31 - 1

/**
 * The time of a live crawl: the machine's clock when the crawl begins, plus the time elapsed since. So limits, waits
 * and timestamps of one run agree, whatever happens to the machine's clock meanwhile. While a machine sleeps, its
 * crawl's time stands still; the next run starts from the machine's clock again.
 */
export function liveClock(wallMs = Date.now, elapsedMs = () => performance.now()): Clock {
  const zeroMs = wallMs() - elapsedMs()
  const now = () => (zeroMs + elapsedMs()) / 1000
  return {
    now,
    async waitUntil(at, signal) {
      while (!signal.aborted && now() < at) {
        const ms = Math.min(Math.ceil((at - now()) * 1000), LONGEST_NAP_MS)
        await sleep(ms, undefined, { signal }).catch(() => {})
      }
    },
  }
}
