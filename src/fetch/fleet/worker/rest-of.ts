import type { FetcherMemory, HostState } from '#crawl/ports.ts'
import { registrableDomain } from '#parse/url/registrable-domain.ts'
import type { HeldBatch } from './held-batch.ts'
import type { LeasesClock } from './leases-clock.ts'

/** Until the planner has heard of it, and tells it to whoever leases. */
const KEPT_SECONDS = 300

/** Whoever is next lets hosts rest for so long by what it is told of them, and may have the batch meanwhile. */
const SHORT_SECONDS = 15

/** How long a domain is left to nobody, and what must be known of its hosts for how long. */
function restOf(states: readonly HostState[], now: number) {
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

/** How leases end, and what whoever is next must know of their hosts. */
export function endingsOf(
  batches: readonly HeldBatch[],
  { hostStates = [] }: Partial<FetcherMemory>,
  clock: LeasesClock,
) {
  const now = clock.now()
  const byDomain = Map.groupBy(hostStates, ({ host }) => registrableDomain(host))
  const endOf = (batch: HeldBatch) => {
    // By their clocks, which may be wrong, others must not be early.
    const { hostStates: states = [] } = laterBy(
      { hostStates: byDomain.get(batch.lease.domain) },
      clock.error,
    )
    const end = batch.isOver ? ('ended' as const) : ('handed back' as const)
    const address = batch.leavesFor?.address
    return { end, ...restOf(states, now), ...(address !== undefined && { address }) }
  }
  return new Map(batches.map((batch) => [batch, endOf(batch)] as const))
}
