import type { HostState } from '#crawl/ports.ts'

/** Until the planner has heard of it, and tells it to whoever leases. */
const KEPT_SECONDS = 300

/** How long a domain is to rest, and what must be known of its hosts for how long. */
export function restOf(states: readonly HostState[], now: number, least: number) {
  const untilReady = states.map(({ readyAt }) => readyAt - now)
  const untilForgotten = states.map(({ backoffUntil, readyAt }) =>
    Math.max(backoffUntil - now, readyAt - now),
  )
  const restSeconds = Math.max(0, least, ...untilReady)
  const seconds = Math.max(KEPT_SECONDS, ...untilForgotten)
  return {
    restSeconds,
    ...(states.length > 0 && { hosts: { text: JSON.stringify(states), seconds } }),
  }
}
