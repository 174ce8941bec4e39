import type { FleetStatus } from '#fetch/fleet/fleet-status.ts'
import { count, duration, some, table } from '../terminal/output.ts'

/** A worker that was lost longer ago is not told of. */
const FORGOTTEN_SECONDS = 600

/** Who fetches, and what became of what was paid for. */
export function fleetLines({
  workers,
  leases,
  ledger,
  lag,
  shortestSeconds,
}: FleetStatus): string[] {
  const { total, spent, lost, escrow } = ledger
  const told = workers.filter(
    ({ isLost, silentSeconds }) => !isLost || silentSeconds < FORGOTTEN_SECONDS,
  )
  const here = told.filter(({ isLost }) => !isLost).length
  const nearest =
    shortestSeconds === undefined ? '' : `, the next ends in ${duration(shortestSeconds)}`
  const behind = lag === undefined ? '' : `, ${some(lag, 'segment')} to be read`
  const rows = told.map(({ name, leases, done, silentSeconds, isLost }) => [
    ...[name, leases, count(done)],
    `${duration(silentSeconds)} ago${isLost ? ', lost' : ''}`,
  ])
  return [
    '',
    `${some(here, 'worker')}, ${some(leases, 'lease')}${nearest}${behind}`,
    `of ${count(total)} fetches ${count(spent)} are done, ${count(escrow)} promised, ${count(lost)} paid for and lost`,
    ...(rows.length > 0 ? ['', table(['worker', 'leases', 'done', 'heard of'], rows)] : []),
  ]
}
