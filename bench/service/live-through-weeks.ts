import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { DAY_SECONDS } from '#crawl/pace/allowance.ts'
import { parseQuietHours, quietUntil } from '#crawl/pace/quiet-hours.ts'
import { seededRandom } from '#numeric/random.ts'
import { askTables } from '#repository/database/ask-tables.test-kit.ts'
import { finishedIn } from '../../test/kill-crawl.ts'
import type { WeeklyJudge } from '../anchors/weekly-judge.ts'
import { rateReport } from './judge-log.ts'
import { beginTime, timeIn } from './leaping-clock.ts'
import type { Memory } from './service-process.ts'
import { CrawlFiles, halfTimeOf, QUIET, snapshotOf, startOf, type WeeksPlan } from './weeks-plan.ts'
import { type Asked, qualityIn, serveWeeks, WEEK_SECONDS } from './weeks-web.ts'

const PROGRAM = join(import.meta.dirname, 'service-process.ts')

/** Lets a service live through weeks, kills it on the way, and changes all it goes by; tells what came of it. */
export async function liveThroughWeeks(plan: WeeksPlan, judge?: WeeklyJudge) {
  const { archive, folder, weeks, fetchesADay, burst } = plan
  const start = startOf(plan)
  const clockFile = join(folder, 'clock')
  beginTime(clockFile, start)
  let hear = (_: Asked) => {}
  const now = () => timeIn(clockFile)
  const server = await serveWeeks({ archive, start, now, onAsked: (one) => hear(one) })
  const files = new CrawlFiles(plan, 'service', server.port)
  files.write(false)
  const watch = new ServiceWatch(plan, files, judge)
  hear = (one) => watch.hear(one)
  const args = [
    '--expose-gc',
    PROGRAM,
    files.settings,
    clockFile,
    String(start + weeks * WEEK_SECONDS),
  ]
  const finished = new Set<string>()
  const lost = new Set<string>()
  for (let isOver = false; !isOver; ) {
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
    watch.watchOver(child)
    const [code, signal] = await once(child, 'close')
    if (signal === null && code !== 0) throw new Error(`the service ended with ${code}`)
    isOver = signal === null
    const known = new Set(await finishedIn(files.dir))
    for (const url of finished) if (!known.has(url)) lost.add(url)
    for (const url of known) finished.add(url)
  }
  await server.close()
  return {
    kills: watch.killed,
    ...rateReport(watch.times, { fetchesADay, burst }),
    inQuietHours: watch.inQuietHours,
    lost: lost.size,
    qualities: await watch.qualities(),
    sizes: watch.sizes,
    ...(await takenIn(files.dir, start + archive.snapshotCount * WEEK_SECONDS)),
  }
}

/** What a service's directory shows of what came while it ran. */
async function takenIn(dir: string, stillSince: number) {
  const [{ queries, lateSeeds, lateUrls, twice }] = await askTables(
    dir,
    `SELECT (SELECT count(*) FROM query) AS queries,
            (SELECT count(*) FROM url u JOIN fetch_log f ON f.url_id = u.id WHERE u.url LIKE '%late-seed%') AS "lateSeeds",
            (SELECT count(*) FROM url WHERE first_seen > ${stillSince + 4 * WEEK_SECONDS}) AS "lateUrls",
            (SELECT count(*) - count(DISTINCT id) FROM fetch_log) AS twice`,
  )
  return {
    queries: Number(queries),
    lateSeeds: Number(lateSeeds),
    lateUrls: Number(lateUrls),
    loggedTwice: Number(twice),
  }
}

/** Hears of every request at the server: judges, kills, and changes what the service goes by. */
class ServiceWatch {
  killed = 0
  inQuietHours = 0
  readonly times: number[] = []
  /** At weeks' ends, garbage left out. */
  readonly sizes: (Memory & { week: number; tablesMb: number })[] = []
  #child: ChildProcess | undefined
  readonly #plan: WeeksPlan
  readonly #files: CrawlFiles
  readonly #judge: WeeklyJudge | undefined
  readonly #random
  /** By day. */
  readonly #qualities: Promise<number>[] = []
  #week = 0
  #killAt: number
  #changedAt = Number.POSITIVE_INFINITY

  constructor(plan: WeeksPlan, files: CrawlFiles, judge: WeeklyJudge | undefined) {
    this.#plan = plan
    this.#files = files
    this.#judge = judge
    this.#random = seededRandom(plan.seed)
    this.#killAt = this.#nextKill()
  }

  watchOver(child: ChildProcess): void {
    this.#child = child
    child.on('message', (memory: Memory) => this.#noteSizes(memory))
  }

  hear({ at }: Asked): void {
    this.times.push(at)
    if (this.#isQuiet(at)) this.inQuietHours++
    const day = Math.floor((at - startOf(this.#plan)) / DAY_SECONDS)
    this.#judgeUntil(day)
    const week = Math.floor(day / 7)
    if (week > this.#week && this.#child?.connected) this.#child.send('memory')
    this.#week = week
    if (at >= halfTimeOf(this.#plan) && this.#changedAt > at) {
      this.#changedAt = at
      this.#files.write(true)
      this.#child?.kill('SIGHUP')
    }
    if (this.killed >= this.#plan.kills || this.times.length < this.#killAt) return
    this.killed++
    this.#killAt = this.#nextKill()
    const child = this.#child
    setTimeout(() => child?.kill('SIGKILL'), this.#random.below(20))
  }

  /** Of every day, what searchers got at its end. */
  async qualities(): Promise<number[]> {
    this.#judgeUntil(7 * this.#plan.weeks)
    return Promise.all(this.#qualities)
  }

  #noteSizes(memory: Memory): void {
    const tablesMb = statSync(join(this.#files.dir, 'state.duckdb')).size / 1e6
    this.sizes.push({ week: this.#week - 1, ...memory, tablesMb })
    this.#plan.say?.(`${JSON.stringify(this.sizes.at(-1))} ${this.times.length} requests`)
  }

  /** Days without a request are as the one before, but for what the web does meanwhile. */
  #judgeUntil(day: number): void {
    while (this.#judge && this.#qualities.length < day) {
      const week = Math.floor(this.#qualities.length / 7)
      this.#qualities.push(qualityIn(this.#files.dir, this.#judge, snapshotOf(this.#plan, week)))
    }
  }

  /** Spread over nine tenths of the time, each at a moment of its own. */
  #nextKill(): number {
    const { weeks, fetchesADay, kills } = this.#plan
    const share = (this.killed + 0.2 + 0.7 * this.#random.next()) / kills
    return Math.ceil(0.9 * share * 7 * weeks * fetchesADay)
  }

  /** New settings hold from their reload on, which takes a moment. */
  #isQuiet(at: number): boolean {
    const windows = at < this.#changedAt + 60 ? QUIET.slice(0, 1) : QUIET
    return quietUntil(windows.map((text) => parseQuietHours(text)!), at) > 0 // biome-ignore format: one thought
  }
}
