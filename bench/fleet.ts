import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { FARM, mostASecond } from './fleet/farm-names.ts'
import { busyRate, judge } from './fleet/judge.ts'
import { runAlone, runFleet, startFarm } from './fleet/run-fleet.ts'
import type { Troubles } from './fleet/trouble.ts'
import { benchmark, mustHold } from './harness/benchmark.ts'
import { rounded } from './harness/cost.ts'

const FLAGS = {
  ...{ workers: 8, budget: 16_000, delay: '2', seed: 1, seconds: 900, parts: 'quiet,troubled' },
  ...{ kills: 30, planners: 5, partitions: 10, restarts: 2, disks: 1, trouble: 180, cut: 60 },
  statements: 0,
}
const LIMITS = { cpuTimesAlone: 1.15, databaseMicrosecondsAFetch: 20, shareOfRate: 0.9 }

export default benchmark({
  about:
    'A planner, eight workers and PostgreSQL, quiet and under kills: judged by the server’s log and the crawl’s',
  flags: FLAGS,
  async run(flags) {
    const parts = flags.parts.split(',')
    const quiet = parts.includes('quiet') ? await quietRun(flags) : undefined
    const troubled = parts.includes('troubled')
      ? await fleetRun(flags, troublesOf(flags))
      : undefined
    const runs = [quiet?.fleet, troubled].filter((run) => run !== undefined)
    const ok = runs.every(({ isRight }) => isRight) && (quiet?.isWithin ?? true)
    return { ok: mustHold(ok), limits: LIMITS, farm: FARM, quiet, troubled }
  },
})

function troublesOf({
  kills,
  planners,
  partitions,
  restarts,
  disks,
  trouble,
  cut,
}: typeof FLAGS): Troubles {
  return {
    ...{ workerKills: kills, plannerKills: planners, partitions, restarts, fullDisks: disks },
    ...{ seconds: trouble, longestCutSeconds: cut },
  }
}

/** What a fleet costs beside one process, and how near it comes to what manners allow. */
async function quietRun(flags: typeof FLAGS) {
  const fleet = await fleetRun(flags)
  const dir = makeFolder()
  const farm = await startFarm(dir)
  const alone = await runAlone(dir, flags, farm)
  await farm.stop()
  const rates = { fleet: fleet.rate, alone: busyRate(farm.log) }
  rmSync(dir, { recursive: true, force: true })
  const shareOfRate = rounded(fleet.rate / mostASecond(Number(flags.delay)))
  const cpuTimesAlone = rounded(sumOf(fleet.cpuSeconds) / sumOf(alone.cpuSeconds))
  const withStart = (run: Costs) => sumOf(run.cpuSeconds) + sumOf(run.startCpuSeconds)
  const cpuTimesAloneWithStart = rounded(withStart(fleet) / withStart(alone))
  const databaseMicrosecondsAFetch = rounded((1e6 * fleet.cpuSeconds.database) / fleet.onTheWire)
  const isWithin =
    cpuTimesAlone <= LIMITS.cpuTimesAlone &&
    databaseMicrosecondsAFetch <= LIMITS.databaseMicrosecondsAFetch &&
    shareOfRate >= LIMITS.shareOfRate
  return {
    ...{ isWithin, cpuTimesAlone, cpuTimesAloneWithStart, databaseMicrosecondsAFetch },
    ...{ shareOfRate, rates, mostASecond: rounded(mostASecond(Number(flags.delay))), alone, fleet },
  }
}

interface Costs {
  readonly cpuSeconds: Record<string, number>
  readonly startCpuSeconds: Record<string, number>
}

const sumOf = (seconds: Record<string, number>) =>
  Object.values(seconds).reduce((sum, each) => sum + each, 0)

async function fleetRun(flags: typeof FLAGS, troubles?: Troubles) {
  const dir = makeFolder()
  const farm = await startFarm(dir)
  const { ledger, ...run } = await runFleet({ ...flags, dir, troubles }, farm)
  await farm.stop()
  const crawl = join(dir, 'crawl')
  const verdict = await judge({
    ...{ serverLog: farm.log, dir: crawl, budget: flags.budget, ledger },
    delayMs: 1000 * Number(flags.delay),
  })
  const isWhole = checkCrawl(crawl)
  const rate = busyRate(farm.log)
  const isRight =
    run.code === 0 && isWhole && Object.values(verdict.faults).every((count) => count === 0)
  if (isRight) rmSync(dir, { recursive: true, force: true })
  else console.error(`see ${dir}`)
  return { isRight, endedByItself: run.code === 0, isWhole, ...verdict, rate, ...run }
}

/** Log, tables and WARC files are whole. */
function checkCrawl(dir: string): boolean {
  try {
    const program = join(import.meta.dirname, '..', 'bin', 'forager.js')
    execFileSync(process.execPath, [program, 'check', '--dir', dir], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

function makeFolder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'forager-fleet-'))
  mkdirSync(dir, { recursive: true })
  return dir
}
