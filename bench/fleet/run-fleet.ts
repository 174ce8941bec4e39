import { type ChildProcess, execFileSync, fork } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { LeaseLedger } from '#crawl/leases/leases.ts'
import { startPostgres } from '#repository/leases/postgres.test-kit.ts'
import { openPostgresLeases } from '#repository/leases/postgres-leases.ts'
import { serverCost } from '../leases/server-cost.ts'
import { cuttableLine } from './cuttable-line.ts'
import { FARM, hostName } from './farm-names.ts'
import { fleetNetwork } from './network.ts'
import { Programs } from './programs.ts'
import { COUNTED, countStatements, dearestStatements } from './statements.ts'
import { makeTrouble, type Troubles } from './trouble.ts'

export interface FleetRun {
  readonly dir: string
  readonly workers: number
  readonly budget: number
  /** Seconds. */
  readonly delay: string
  readonly troubles?: Troubles
  readonly seed: number
  /** So long at most. */
  readonly seconds: number
  /** Tells of so many statements what they took; the server works harder for it. */
  readonly statements?: number
}

type Farm = Awaited<ReturnType<typeof startFarm>>

const SCHEMA = 'fleet'

/** The farm, in a process of its own. */
export async function startFarm(dir: string) {
  const log = join(dir, 'server.jsonl')
  const child = fork(join(import.meta.dirname, 'farm.ts'), [log])
  const [{ port }] = (await once(child, 'message')) as [{ port: number }]
  const seeds = Array.from({ length: FARM.hosts }, (_, i) => `http://${hostName(i)}:${port}/`)
  const firstRequest = once(child, 'message')
  return {
    ...{ log, seeds, firstRequest },
    stop: async () => {
      child.disconnect()
      await once(child, 'exit')
    },
  }
}

const crawlArgs = ({ budget, delay }: Pick<FleetRun, 'budget' | 'delay'>) => [
  ...['--budget', String(budget), '--delay', delay, '--policy', 'bfs', '--allow-private'],
  ...['--contact', 'fleet@bench.example', '--no-index', '--no-config', '--json', '--dir', 'crawl'],
  ...['--max-wait', '60s'],
]

/** One process without a fleet, for comparison. */
export async function runAlone(
  dir: string,
  run: Pick<FleetRun, 'budget' | 'delay'>,
  { seeds, firstRequest }: Farm,
) {
  const programs = new Programs(dir)
  const cost = costSince(firstRequest, () => programs.cpuSeconds())
  const child = programs.start('alone', ['crawl', ...seeds, ...crawlArgs(run), '--workers', '1'])
  const [code] = await once(child, 'exit')
  await programs.endAll()
  return { code, ...cost() }
}

/** What things cost from the first request on, and before: to start eight programs is dear, and happens once. */
function costSince(firstRequest: Promise<unknown>, now: () => Record<string, number>) {
  let startedAt = performance.now()
  let start: Record<string, number> = {}
  void firstRequest.then(() => {
    startedAt = performance.now()
    start = now()
  })
  return () => {
    const kinds = Object.entries(now()).map(([kind, all]) => [kind, all - (start[kind] ?? 0)])
    return {
      seconds: (performance.now() - startedAt) / 1000,
      cpuSeconds: Object.fromEntries(kinds) as Record<string, number>,
      startCpuSeconds: start,
    }
  }
}

/** A planner, its workers and a database, until the crawl ends by itself. */
export async function runFleet(run: FleetRun, { seeds, firstRequest }: Farm) {
  const { dir, workers, troubles, seed } = run
  const server = startPostgres(run.statements ? COUNTED : [])
  if (run.statements) await countStatements(server.url)
  const network = fleetNetwork(workers)
  const lineHosts = [
    ...Array.from({ length: workers }, (_, which) => network.lineHost(which)),
    '127.0.0.1', // the planner's
  ]
  const lines = await Promise.all(
    lineHosts.map((host) => cuttableLine(join(server.dir, '.s.PGSQL.5432'), host)),
  )
  const programs = new Programs(dir)
  const store = join(dir, 'segments')
  mkdirSync(store, { recursive: true })
  const isLimited = troubles !== undefined && troubles.fullDisks > 0 && limitedDisk(store)
  const meeting = (line: number) => [
    ...[
      '--leases',
      `postgres://forager@${lineHosts[line]}:${lines[line].port}/postgres?schema=${SCHEMA}`,
    ],
    ...['--store', store],
  ]
  const over = new AbortController()
  const cost = costSince(firstRequest, () => ({
    ...programs.cpuSeconds(),
    database: serverCost(server.pid),
  }))
  const startWorker = (which: number): ChildProcess =>
    programs.start(
      `worker-${which}`,
      ['worker', ...meeting(which), '--no-config'],
      {
        FLEET_FARM: network.farm,
        FLEET_ADDRESS: network.sourceOf(which) ?? '',
        // One of them has a clock that is an hour ahead.
        ...(troubles && which === 0 && { FLEET_CLOCK_SHIFT: '3600' }),
      },
      network.prefix(which),
    )
  const fleet = Array.from({ length: workers }, (_, which) => startWorker(which))
  // Programs load before anything is counted: on a busy machine some take far longer than others.
  await Promise.all(
    fleet.map((child) => Promise.race([once(child.stderr!, 'data'), once(child, 'exit')])),
  )
  let ended = Promise.withResolvers<number>()
  const startPlanner = (): ChildProcess => {
    const child = programs.start('planner', [
      'crawl',
      ...seeds,
      ...crawlArgs(run),
      ...meeting(workers),
    ])
    child.on('exit', (code, signal) => {
      if (signal !== 'SIGKILL') ended.resolve(code ?? -1)
    })
    return child
  }
  let planner = startPlanner()
  const troubled = troubles
    ? Promise.race([firstRequest, once(over.signal, 'abort')]).then(() =>
        makeTrouble(
          {
            workers,
            ...(isLimited && { store }),
            note: (kind, which) =>
              appendFileSync(join(dir, 'troubles.log'), `${Date.now()} ${kind} ${which}\n`),
            killWorker: (which) => {
              fleet[which].kill('SIGKILL')
              fleet[which] = startWorker(which)
            },
            killPlanner: async () => {
              const killed = planner
              killed.kill('SIGKILL')
              await sleep(2_000)
              // Killed once more meanwhile, it is started again once.
              if (!over.signal.aborted && planner === killed) planner = startPlanner()
            },
            cutLine: async (which, seconds) => {
              // Without a link of its own, only what goes to the database is cut.
              if (!network.setLink(which, false)) lines[which].cut()
              await sleep(1000 * seconds, undefined, { signal: over.signal }).catch(() => {})
              if (!network.setLink(which, true)) lines[which].mend()
            },
            restartDatabase: () => server.restart(),
          },
          troubles,
          seed,
          over.signal,
        ),
      )
    : Promise.resolve(undefined)
  const timer = setTimeout(() => ended.resolve(-2), 1000 * run.seconds)
  const code = await ended.promise
  clearTimeout(timer)
  const costs = cost()
  over.abort()
  const troublesMade = await troubled
  ended = Promise.withResolvers()
  await programs.endAll()
  const statements = run.statements
    ? await dearestStatements(server.url, run.statements)
    : undefined
  const ledger = await finalLedger(server.url)
  for (const line of lines) line.close()
  network.close()
  if (isLimited) execFileSync('umount', [store])
  server.stop()
  return { code, network: network.about, ...costs, ledger, troublesMade, statements }
}

/** What the ledger says once all leases are over. */
async function finalLedger(url: string): Promise<LeaseLedger> {
  const leases = await openPostgresLeases({ url, schema: SCHEMA })
  try {
    for (let tries = 0; tries < 60; tries++) {
      await leases.expire()
      const ledger = await leases.ledger()
      if (ledger.escrow === 0) return ledger
      await sleep(500)
    }
    return await leases.ledger()
  } finally {
    await leases.close()
  }
}

/** A disk of its own that can be filled, for root on Linux. */
function limitedDisk(dir: string): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64m', 'tmpfs', dir], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
