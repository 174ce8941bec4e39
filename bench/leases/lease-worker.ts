/** A worker that fetches nothing: it leases, opens windows, reports them as done, until nothing is left. */
import type { Lease, LeaseReport } from '#crawl/leases/leases.ts'
import { openPostgresLeases } from '#repository/leases/postgres-leases.ts'

const { worker, window, ...place } = JSON.parse(process.argv[2])
const leases = await openPostgresLeases(place)
const SECONDS = 60
const AT_A_TIME = 32

let fromRank = 0
let turn = 0
while (true) {
  const got = await leases.lease({
    worker,
    most: AT_A_TIME,
    seconds: SECONDS,
    fromRank,
    turn: turn++,
  })
  if (got.length === 0) break
  fromRank = got.at(-1)!.rank + 1
  const size = Math.max(0, ...got.map((lease) => lease.size))
  for (let at = 0; at < size; at += window) await report(got, at - window, window)
  await report(got, size - window, 0)
}
await leases.close()

/** A window is open while the one before it is reported, as where there is something to fetch. */
async function report(held: readonly Lease[], doneFrom: number, open: number): Promise<void> {
  if (held.length === 0) return
  const said = held.map(({ epoch, rank, token, size }): LeaseReport => {
    const length = Math.min(window, size - doneFrom)
    const done = doneFrom < 0 ? [] : Array.from({ length }, (_, i) => doneFrom + i)
    const end = open === 0 ? ({ end: 'ended', restSeconds: 1 } as const) : {}
    return { epoch, rank, token, done, open, ...end }
  })
  await leases.report({ worker, seconds: SECONDS, turn: turn++, leases: said })
}
