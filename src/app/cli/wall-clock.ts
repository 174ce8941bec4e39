import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '#crawl/ports.ts'

/** A timer does not count while the machine sleeps, so the time is looked at again after so long. */
const LONGEST_NAP_MS = 10_000

/** The time of this machine. */
export function wallClock(): Clock {
  const now = () => Date.now() / 1000
  return {
    now,
    async waitUntil(at, signal) {
      // Should somebody set the clock back meanwhile, that makes nobody wait longer.
      const latest = performance.now() + (at - now()) * 1000
      while (!signal.aborted && now() < at && performance.now() < latest) {
        const ms = Math.min(Math.ceil((at - now()) * 1000), LONGEST_NAP_MS)
        await sleep(ms, undefined, { signal }).catch(() => {})
      }
    },
  }
}
