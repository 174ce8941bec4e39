import type { Clock } from '#crawl/ports.ts'

/**
 * Seconds since 1970 that follow `clock` forwards but never stand still or go back: a corrected
 * system clock must not make a host wait for hours, nor be asked twice at once.
 */
export function steadyClock(clock: Clock, elapsedMs = () => performance.now()): () => number {
  let now = clock.now()
  let at = elapsedMs()
  return () => {
    // In this order: on a busy machine the process may have to wait between the two, and that must not count twice.
    const said = clock.now()
    const next = elapsedMs()
    now = Math.max(said, now + (next - at) / 1000)
    at = next
    return now
  }
}
