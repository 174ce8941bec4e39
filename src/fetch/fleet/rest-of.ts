import type { FetcherMemory, HostState } from '#crawl/ports.ts'

/** Until the planner has heard of it, and tells it to whoever leases. */
const KEPT_SECONDS = 300

/** Whoever is next lets hosts rest for so long by what it is told of them, and may have the batch meanwhile. */
const SHORT_SECONDS = 15

/** How long a domain is left to nobody, and what must be known of its hosts for how long. */
export function restOf(states: readonly HostState[], now: number) {
  const untilReady = states.map(({ readyAt }) => readyAt - now)
  const untilForgotten = states.map(({ backoffUntil, readyAt }) =>
    Math.max(backoffUntil - now, readyAt - now),
  )
  const longest = Math.max(0, ...untilReady)
  const restSeconds = longest > SHORT_SECONDS ? longest : 0
  const seconds = Math.max(KEPT_SECONDS, ...untilForgotten)
  return {
    restSeconds,
    ...(states.length > 0 && { hosts: { text: JSON.stringify(states), seconds } }),
  }
}

/** The same memory with hosts that rest for so many seconds more: their clock, or ours, may be wrong by that. */
export function laterBy(memory: Partial<FetcherMemory>, seconds: number): Partial<FetcherMemory> {
  const { hostStates = [] } = memory
  return {
    ...memory,
    hostStates: hostStates.map((state) => ({ ...state, readyAt: state.readyAt + seconds })),
  }
}
