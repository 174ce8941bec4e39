import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Leases } from '#crawl/leases/leases.ts'
import { MemorySegments } from '#crawl/segments/memory-segments.test-kit.ts'
import { LeasedFetcher } from '#fetch/fleet/leased-fetcher.ts'
import { FIRST_CURSOR } from '#fetch/fleet/segment-reader.ts'
import { FleetWorker } from '#fetch/fleet/worker/fleet-worker.ts'
import { SegmentWriter } from '#fetch/fleet/worker/segment-writer.ts'
import { startPostgres } from '#repository/leases/postgres.test-kit.ts'
import { openPostgresLeases } from '#repository/leases/postgres-leases.ts'
import { FARM } from './fleet/farm-names.ts'
import { crawlPaced } from './fleet/paced-crawl.ts'
import { PacedFetcher } from './fleet/paced-fetcher.ts'
import { COUNTED, countStatements, dearestStatements } from './fleet/statements.ts'
import { VirtualLeases, VirtualTime } from './fleet/virtual-time.ts'
import { benchmark } from './harness/benchmark.ts'
import { rounded } from './harness/cost.ts'
import { ownCost, serverCost } from './leases/server-cost.ts'

const FLAGS = { workers: 8, budget: 30_000, delay: 2, old: 0, statements: 0, virtual: 0 }

export default benchmark({
  about:
    'A fleet whose hosts answer from memory, in real time: what its steps cost PostgreSQL, and how long hosts wait for them',
  flags: FLAGS,
  async run(flags) {
    const { workers, budget, delay, old, statements, virtual } = flags
    const server = startPostgres(statements ? COUNTED : [])
    if (statements) await countStatements(server.url)
    const place = { url: server.url, schema: 'steps' }
    const store = new MemorySegments()
    const stop = new AbortController()
    const plain = await openPostgresLeases(place)
    const clock = new pg.Client(server.url)
    await clock.connect()
    const clockPid = (await clock.query('SELECT pg_backend_pid() AS pid')).rows[0].pid
    const time = virtual ? new VirtualTime() : undefined
    const asked = time && new VirtualLeases(time, clock)
    await asked?.takeOver(place.schema)
    const now = time?.now ?? realNow
    const nap = time?.sleep ?? realNap
    const watched = (each: Leases) => asked?.wrap(each) ?? each
    const leases = watched(plain)
    const forgotten = new pg.Client(server.url)
    await forgotten.connect()
    if (old)
      await forgotten.query('BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT * FROM steps.ledger')
    const cost = () => serverCost(server.pid) - ownCost(clockPid)
    const before = cost()
    const startedAt = performance.now()
    const team = await Promise.all(
      Array.from({ length: workers }, async (_, number) => {
        const own = watched(await openPostgresLeases(place))
        const name = `w${number}`
        const { found, takeAddresses } = foundAddresses()
        const writer = new SegmentWriter({ warc: NO_WARC, takeAddresses, worker: name, store })
        const worker = new FleetWorker({
          ...{ name, leases: own, writer, now, sleep: nap, concurrency: 64 },
          open: (bounds, clock) => new PacedFetcher(bounds, clock, delay, found, time?.later),
        })
        return { running: worker.run(stop.signal), own }
      }),
    )
    const crawl = async () => {
      const fetcher = await LeasedFetcher.open({
        ...{ leases, store, cursor: FIRST_CURSOR, total: budget, memory: {}, clock: { now } },
        ...{ usualPace: delay, perAddress: 1, sleep: nap },
      })
      return { fetcher, ...(await crawlPaced({ fetcher, budget, now })) }
    }
    const crawled = crawl()
    await time?.runUntil(crawled)
    const { fetcher, answers, plans } = await crawled
    const seconds = (performance.now() - startedAt) / 1000
    const spent = cost() - before
    const dearest = statements ? await dearestStatements(server.url, statements) : undefined
    const emptyCall = await costOfEmptyCall(server.pid, () => plain.now())
    stop.abort()
    await time?.runUntil(Promise.all(team.map(({ running }) => running)))
    for (const { running, own } of team) {
      await running
      await own.close()
    }
    await fetcher.close()
    await leases.close()
    await forgotten.end()
    await clock.end()
    server.stop()
    return {
      ...{ ok: true, plans, seconds: rounded(seconds), fetches: answers.length },
      microsecondsAFetch: rounded((1e6 * spent) / answers.length),
      microsecondsAnEmptyCall: rounded(1e6 * emptyCall),
      ...busyShare(answers, delay + FARM.latencyMs / 1000),
      ...(dearest && { dearest }),
    }
  },
})

const NO_WARC = { spanOf: () => [0, 0] as const, takeTo: () => new Uint8Array() }

/** Where domains are that have answered: segments tell the planner, as those of real workers do. */
function foundAddresses() {
  const found: Record<string, string> = {}
  const takeAddresses = () => {
    const taken = { ...found }
    for (const domain of Object.keys(taken)) delete found[domain]
    return taken
  }
  return { found, takeAddresses }
}

const realNow = () => (performance.timeOrigin + performance.now()) / 1000
const realNap = (seconds: number, signal?: AbortSignal) =>
  sleep(1000 * seconds, undefined, { signal }).catch(() => {})

/** The floor: a function of the database that does nothing, asked for as seldom as a worker asks. */
async function costOfEmptyCall(pid: number, call: () => Promise<unknown>): Promise<number> {
  const CALLS = 20
  const before = serverCost(pid)
  for (let calls = 0; calls < CALLS; calls++) {
    await call()
    await realNap(0.5)
  }
  return (serverCost(pid) - before) / CALLS
}

/** In the middle four fifths: the rate, and the share of time for which hosts waited longer than manners ask, by how long. */
function busyShare(all: readonly { readonly host: number; readonly at: number }[], pace: number) {
  const times = all.map(({ at }) => at).sort((a, b) => a - b)
  const [from, to] = [0.1, 0.9].map((share) => times[Math.floor(share * times.length)])
  const middle = all.filter(({ at }) => at >= from && at <= to)
  const rate = middle.length / (to - from)
  const waits = { toASecond: 0, toFive: 0, toTwenty: 0, longer: 0 }
  for (const answers of Map.groupBy(middle, ({ host }) => host).values()) {
    const ats = answers.map(({ at }) => at).sort((a, b) => a - b)
    for (const [i, at] of ats.entries()) {
      const wait = i === 0 ? 0 : Math.max(0, at - ats[i - 1] - pace)
      const kind = wait < 1 ? 'toASecond' : wait < 5 ? 'toFive' : wait < 20 ? 'toTwenty' : 'longer'
      waits[kind] += wait / (to - from) / FARM.hosts
    }
  }
  const kinds = Object.entries(waits).map(([kind, share]) => [kind, rounded(share)])
  const shareOfRate = rounded((rate * pace) / FARM.hosts)
  return { rate: rounded(rate), shareOfRate, waits: Object.fromEntries(kinds) }
}
