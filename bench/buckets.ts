import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promptFetcher } from '#crawl/prompt-fetcher.ts'
import { advance } from '#library/buckets/advance.ts'
import { type LearnSums, openBuckets, ownUrls, sumsOf } from '#library/buckets/buckets-crawl.ts'
import { PHASES, type Phase } from '#repository/buckets/buckets-folder.ts'
import { benchmark, mustHold } from './harness/benchmark.ts'
import { rounded } from './harness/cost.ts'
import { inFolder } from './harness/in-folder.ts'
import { FORAGER, runProgram } from './harness/run-program.ts'
import { type Usage, UsageReport } from './harness/usage-report.ts'
import { writeCrawlDir } from './webs/crawl-dir.ts'

const PROGRAMS = join(import.meta.dirname, 'buckets')
const EPOCH = 2
const TICKS_A_SECOND = 100

/** What an epoch may cost. */
const LIMITS = {
  /** Of all steps that run at a time. */
  memoryMb: 6_000,
  /** CPU of a bucket's steps, in times of loading and planning the same crawl in one process. */
  cpuTimes: 1.3,
  /** How many times as fast two processes are as one. */
  twoCores: 1.7,
  /** CPU of a bucket's steps among eight, in times of one alone that knows as many URLs: so much more or less. */
  flat: 0.1,
}

export default benchmark({
  about:
    'Plans an epoch of a crawl in buckets, by one process and by two: memory, CPU beside that of one process without buckets, cost of a bucket from 1 to all',
  flags: { urls: 20_000_000, links: 200_000_000, buckets: 8, budget: 100_000, seed: 7 },
  run: ({ urls, links, buckets, budget, seed }) =>
    inFolder(async (folder) => {
      const crawl = join(folder, 'crawl')
      const size = { urls: Math.round(urls / buckets), links: Math.round(links / buckets), seed }
      await writeCrawlDir(crawl, size)
      const made = async (name: string, count: number) => {
        const dir = join(folder, name)
        console.error(`writing ${count} buckets …`)
        await runProgram(join(PROGRAMS, 'write-buckets.ts'), [crawl, dir, count, budget])
        return dir
      }
      const plain = await runProgram(join(PROGRAMS, 'load-and-plan.ts'), [
        crawl,
        Math.round(budget / buckets),
      ])
      // The second time, as the first buckets of a process cost more: the engine is still learning its code.
      const [, alone] = await epochsOf(await made('alone', 1), 1, 2)
      const all = await made('all', buckets)
      const [one] = await epochsOf(all, 1)
      const [two] = await epochsOf(all, 2)
      const cpuTimes = one.cpuSeconds / buckets / plain.cpuSeconds
      const bucketTimes = one.laterBucket / alone.laterBucket
      const flat = bucketTimes - 1
      const isWithin =
        two.memoryMb <= LIMITS.memoryMb &&
        cpuTimes <= LIMITS.cpuTimes &&
        Math.abs(flat) <= LIMITS.flat &&
        one.longestCpu / two.longestCpu >= LIMITS.twoCores
      return {
        ok: mustHold(isWithin),
        limits: LIMITS,
        ...{ urls: size.urls * buckets, links: size.links * buckets, buckets },
        found: {
          memoryMb: two.memoryMb,
          cpuTimes: rounded(cpuTimes),
          twoCores: rounded(one.longestCpu / two.longestCpu),
          twoCoresOnTheClock: rounded(one.wallSeconds / two.wallSeconds),
          flat: rounded(flat),
          // A part of what a bucket knows are others' URLs, which one alone would not have.
          forItsOwnUrls: rounded(bucketTimes * (alone.ownUrls / one.ownUrls)),
        },
        stateMb: rounded(stateBytes(all) / 1e6),
        plain: { cpuSeconds: rounded(plain.cpuSeconds), memoryMb: plain.rssMb },
        ...{ alone, one, two },
      }
    }),
})

/** What the files of one bucket take. */
function stateBytes(dir: string): number {
  const list = join(openBuckets(dir).folder.partOf(1, 'learn', 0), 'files.json')
  const sizes: Record<string, number> = JSON.parse(readFileSync(list, 'utf8'))
  return Object.values(sizes).reduce((sum, size) => sum + size, 0)
}

/** What the steps of an epoch came to. */
interface EpochCost {
  /** Of all processes, that between phases too. */
  readonly cpuSeconds: number
  readonly wallSeconds: number
  /** What the processes took to start, before they made steps. */
  readonly started: number
  /** CPU of a bucket's steps, but for those that a process makes first. */
  readonly laterBucket: number
  /** Of a bucket, on average: the others are known from links. */
  readonly ownUrls: number
  /**
   * CPU on the longest way through the epoch: of each phase, that of whoever took longest. So long it takes on the clock where
   * every process has a core for itself, whoever else uses the machine now.
   */
  readonly longestCpu: number
  /** Of all processes, the most that each had. */
  readonly memoryMb: number
  /** CPU-seconds of a phase: of a bucket, but for the first ones; and between it and the next. */
  readonly byPhase: Readonly<Record<string, { readonly bucket: number; readonly after: number }>>
  readonly planned: number
}

/** Makes the steps of an epoch by so many processes at a time, which are kept for all of it; and again, so many times. */
async function epochsOf(dir: string, processes: number, times = 1): Promise<EpochCost[]> {
  const children = Array.from({ length: processes }, () => new MeasuredSteps(dir))
  await Promise.all(children.map((child) => child.start()))
  const costs: Omit<EpochCost, 'memoryMb'>[] = []
  for (let time = 0; time < times; time++) costs.push(await epochOf(dir, children, time > 0))
  const used = await Promise.all(children.map((child) => child.end()))
  const memoryMb = used.reduce((sum, { rssMb }) => sum + rssMb, 0)
  return costs.map((cost) => {
    const found = { ...cost, memoryMb }
    console.error(`${dir}: ${JSON.stringify(found)}`)
    return found
  })
}

async function epochOf(
  dir: string,
  children: readonly MeasuredSteps[],
  isWarm: boolean,
): Promise<Omit<EpochCost, 'memoryMb'>> {
  const opened = openBuckets(dir)
  for (const name of [...PHASES, 'price.json', 'cut.json'])
    rmSync(opened.folder.ofEpoch(EPOCH, name), { recursive: true, force: true })
  const web = {
    kind: 'recorded' as const,
    clock: { now: () => 0 },
    seeds: [],
    fetcher: () => promptFetcher(() => Promise.reject(new Error('nothing is fetched'))),
  }
  const byPhase: Record<string, { bucket: number; after: number }> = {}
  const started = children.map((child) => child.startedSeconds)
  let [cpuSeconds, longestCpu] = [sumOf(started), Math.max(...started)]
  let [between, wallSeconds] = [0, 0]
  for (let phase: Phase | undefined; phase !== 'cut'; ) {
    const [startedAt, cpuBefore] = [performance.now(), process.cpuUsage()]
    const next = await advance(opened, { budget: 1e9, batch: 1, epochs: EPOCH }, { web })
    if (next.kind === 'end') throw new Error(`the epoch ended: ${next.why}`)
    const { user, system } = process.cpuUsage(cpuBefore)
    if (phase) byPhase[phase].after = rounded((user + system) / 1e6)
    between += (user + system) / 1e6
    phase = next.phase
    const waiting = [...next.buckets]
    const took = await Promise.all(
      children.map(async (child) => {
        const took: number[] = []
        for (let bucket = waiting.shift(); bucket !== undefined; bucket = waiting.shift())
          took.push(await child.make(EPOCH, next.phase, bucket))
        return took
      }),
    )
    wallSeconds += (performance.now() - startedAt) / 1000
    const areFirst = !isWarm && next.buckets.length > took.length
    const later = took.flatMap((seconds) => (areFirst ? seconds.slice(1) : seconds))
    byPhase[phase] = { bucket: rounded(sumOf(later) / later.length), after: 0 }
    cpuSeconds += sumOf(took.flat())
    longestCpu += Math.max(...took.map(sumOf))
  }
  const { planned } = JSON.parse(readFileSync(opened.folder.ofEpoch(EPOCH, 'cut.json'), 'utf8'))
  const own = sumsOf<LearnSums>(opened, EPOCH, 'learn').map(ownUrls)
  return {
    cpuSeconds: rounded(cpuSeconds + between),
    wallSeconds: rounded(wallSeconds),
    started: rounded(sumOf(started)),
    laterBucket: rounded(sumOf(Object.values(byPhase).map(({ bucket }) => bucket))),
    ownUrls: Math.round(sumOf(own) / own.length),
    longestCpu: rounded(longestCpu + between),
    ...{ byPhase, planned },
  }
}

const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0)

/** A process that makes steps, and tells at its end what it used. */
class MeasuredSteps {
  readonly #report = new UsageReport()
  readonly #child: ChildProcess
  readonly #answers: AsyncIterator<string>
  #usedSeconds = 0
  startedSeconds = 0

  constructor(dir: string) {
    const args = [...this.#report.flags, FORAGER, 'step', '--dir', dir]
    this.#child = spawn(process.execPath, args, {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: this.#report.env,
    })
    this.#answers = createInterface({ input: this.#child.stdout! })[Symbol.asyncIterator]()
  }

  /** A step that was made is not made again: when the process says so, it has started. */
  async start(): Promise<void> {
    this.startedSeconds = await this.make(EPOCH - 1, 'learn', 0)
  }

  /** CPU-seconds that it took. */
  async make(epoch: number, phase: Phase, bucket: number): Promise<number> {
    this.#child.stdin!.write(`${epoch} ${phase} ${bucket}\n`)
    if ((await this.#answers.next()).done) throw new Error(`${phase} of bucket ${bucket} failed`)
    const before = this.#usedSeconds
    this.#usedSeconds = cpuOf(this.#child.pid!)
    return this.#usedSeconds - before
  }

  async end(): Promise<Usage> {
    this.#child.stdin!.end()
    await once(this.#child, 'close')
    return this.#report.take(this.#child.pid)!
  }
}

/** CPU-seconds of a process so far, as Linux tells. */
function cpuOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')
  return (Number(fields[11]) + Number(fields[12])) / TICKS_A_SECOND
}
