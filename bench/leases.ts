import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import pg from 'pg'
import { startPostgres } from '#repository/leases/postgres.test-kit.ts'
import { openPostgresLeases } from '#repository/leases/postgres-leases.ts'
import { benchmark, mustHold } from './harness/benchmark.ts'
import { rounded } from './harness/cost.ts'
import { serverCost } from './leases/server-cost.ts'

const FLAGS = { batches: 10_000, size: 32, window: 16, workers: 4 }
/** CPU of the server a fetch, and how many times as much it may be beside a transaction that never ends. */
const LIMITS = { microsecondsAFetch: 20, besideOldTransaction: 2 }

export default benchmark({
  about: 'Leases, opens and reports fetches from several processes: what that costs PostgreSQL',
  flags: FLAGS,
  async run(flags) {
    const alone = await costOfPlan(flags, false)
    const beside = await costOfPlan(flags, true)
    const times = rounded(beside.microsecondsAFetch / alone.microsecondsAFetch)
    const ok =
      alone.microsecondsAFetch <= LIMITS.microsecondsAFetch && times <= LIMITS.besideOldTransaction
    return { ok: mustHold(ok), limits: LIMITS, alone, besideOldTransaction: { times, ...beside } }
  },
})

/** One plan, fetched by nobody: workers report at once what they were let send. */
async function costOfPlan(
  { batches, size, window, workers }: typeof FLAGS,
  besideOldTransaction: boolean,
) {
  const server = startPostgres()
  const place = { url: server.url, schema: 'bench' }
  const leases = await openPostgresLeases(place)
  const old = new pg.Client(server.url)
  try {
    await leases.setBudget(batches * size)
    await leases.publish({
      epoch: 0,
      batches: Array.from({ length: batches }, (_, i) => ({
        ...{ domain: `${i}.test`, address: `192.0.${Math.floor(i / 250) % 250}.${i % 250}`, size },
        ...{ restSeconds: 1, payload: Buffer.alloc(100 * size, 'a') },
      })),
    })
    await old.connect()
    if (besideOldTransaction)
      await old.query('BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT * FROM bench.ledger')
    const before = serverCost(server.pid)
    const startedAt = performance.now()
    const children = Array.from({ length: workers }, (_, i) =>
      fork(join(import.meta.dirname, 'leases', 'lease-worker.ts'), [
        JSON.stringify({ ...place, worker: `w${i}`, window }),
      ]),
    )
    const codes = await Promise.all(children.map((child) => once(child, 'exit')))
    const seconds = (performance.now() - startedAt) / 1000
    const after = serverCost(server.pid)
    const { spent } = await leases.ledger()
    const isWhole = spent === batches * size && codes.every(([code]) => code === 0)
    if (!isWhole) throw new Error(`${spent} of ${batches * size} fetches were reported`)
    return {
      fetches: spent,
      microsecondsAFetch: rounded(((after - before) * 1e6) / spent),
      leasesASecond: Math.round(batches / seconds),
      fetchesASecond: Math.round(spent / seconds),
    }
  } finally {
    await old.end()
    await leases.close()
    server.stop()
  }
}
