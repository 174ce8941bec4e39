import type { KnownWorker, LeaseLedger, Leases } from '#crawl/leases/leases.ts'

/** How a fleet is, for people. */
export interface FleetStatus {
  readonly workers: readonly KnownWorker[]
  readonly ledger: LeaseLedger
  /** Domains that somebody has, and who; not more than a thousand. */
  readonly leased: Readonly<Record<string, string>>
  readonly leases: number
  /** Of the leases, how long the one that is nearest to its end still lasts. */
  readonly shortestSeconds?: number
  /** Segments that workers stored and the planner has not read, as far as is known. */
  readonly lag?: number
}

const MOST_NAMED = 1_000

export async function fleetStatus(leases: Leases, lag?: number): Promise<FleetStatus> {
  const open = await leases.open()
  const left = open.map(({ secondsLeft }) => secondsLeft)
  return {
    workers: await leases.workers(),
    ledger: await leases.ledger(),
    leased: Object.fromEntries(
      open.slice(0, MOST_NAMED).map(({ domain, worker }) => [domain, worker]),
    ),
    leases: open.length,
    ...(left.length > 0 && { shortestSeconds: Math.min(...left) }),
    ...(lag !== undefined && { lag }),
  }
}
