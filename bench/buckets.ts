import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promptFetcher } from '#crawl/prompt-fetcher.ts'
import { advance } from '#library/buckets/advance.ts'
import { openBuckets } from '#library/buckets/buckets-crawl.ts'
import { PHASES, type Phase } from '#repository/buckets/buckets-folder.ts'
import { benchmark, mustHold } from './harness/benchmark.ts'
import { rounded } from './harness/cost.ts'
import { inFolder } from './harness/in-folder.ts'
import { FORAGER, runProgram } from './harness/run-program.ts'
import { type Usage, UsageReport } from './harness/usage-report.ts'
import { writeCrawlDir } from './webs/crawl-dir.ts'

const PROGRAMS = join(import.meta.dirname, 'buckets')
const EPOCH = 2

/** What an epoch may cost. */
const LIMITS = {
  /** Of all steps that run at a time. */
  memoryMb: 6_000,
  /** CPU of a bucket's steps, in times of loading and planning the same crawl in one process. */
  cpuTimes: 1.3,
  /** How many times as fast two processes are as one. */
  twoCores: 1.7,
  /** CPU of a bucket among eight, in times of one alone: so much more or less. */
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
      const alone = await epochOf(await made('alone', 1), 1)
      const all = await made('all', buckets)
      const one = await epochOf(all, 1)
      for (const name of [...PHASES, 'price.json', 'cut.json'])
        rmSync(openBuckets(all).folder.ofEpoch(EPOCH, name), { recursive: true, force: true })
      const two = await epochOf(all, 2)
      const cpuTimes = one.cpuSeconds / buckets / plain.cpuSeconds
      const flat = one.cpuSeconds / buckets / alone.cpuSeconds - 1
      const twoCores = one.wallSeconds / two.wallSeconds
      const isWithin =
        two.memoryMb <= LIMITS.memoryMb &&
        cpuTimes <= LIMITS.cpuTimes &&
        Math.abs(flat) <= LIMITS.flat &&
        twoCores >= LIMITS.twoCores
      return {
        ok: mustHold(isWithin),
        limits: LIMITS,
        ...{ urls: size.urls * buckets, links: size.links * buckets, buckets },
        found: {
          memoryMb: two.memoryMb,
          cpuTimes: rounded(cpuTimes),
          twoCores: rounded(twoCores),
          flat: rounded(flat),
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
  readonly cpuSeconds: number
  readonly wallSeconds: number
  /** Of all processes, the most that each had. */
  readonly memoryMb: number
  /** Seconds on the clock. */
  readonly byPhase: Readonly<Record<string, number>>
  readonly planned: number
}

/** Makes the steps of an epoch by so many processes at a time, which are kept for all of it. */
async function epochOf(dir: string, processes: number): Promise<EpochCost> {
  const opened = openBuckets(dir)
  const web = {
    kind: 'recorded' as const,
    clock: { now: () => 0 },
    seeds: [],
    fetcher: () => promptFetcher(() => Promise.reject(new Error('nothing is fetched'))),
  }
  const byPhase: Record<string, number> = {}
  let wallSeconds = 0
  const children = Array.from({ length: processes }, () => new MeasuredSteps(dir))
  for (let phase: Phase | undefined; phase !== 'cut'; ) {
    const startedAt = performance.now()
    const next = await advance(opened, { budget: 1e9, batch: 1, epochs: EPOCH }, { web })
    if (next.kind === 'end') throw new Error(`the epoch ended: ${next.why}`)
    phase = next.phase
    const waiting = [...next.buckets]
    const work = async (child: MeasuredSteps) => {
      for (let bucket = waiting.shift(); bucket !== undefined; bucket = waiting.shift())
        await child.make(next.phase, bucket)
    }
    await Promise.all(children.map(work))
    const seconds = (performance.now() - startedAt) / 1000
    byPhase[phase] = seconds
    wallSeconds += seconds
  }
  const used = await Promise.all(children.map((child) => child.end()))
  const cpuSeconds = used.reduce((sum, one) => sum + one.cpuSeconds, 0)
  const memoryMb = used.reduce((sum, one) => sum + one.rssMb, 0)
  const cut = opened.folder.ofEpoch(EPOCH, 'cut.json')
  const { planned } = JSON.parse(readFileSync(cut, 'utf8'))
  const found = {
    ...{ cpuSeconds: rounded(cpuSeconds), wallSeconds: rounded(wallSeconds), planned },
    memoryMb,
    byPhase: Object.fromEntries(
      Object.entries(byPhase).map(([name, took]) => [name, rounded(took)]),
    ),
  }
  console.error(`${dir}: ${JSON.stringify(found)}`)
  return found
}

/** A process that makes steps, and tells at its end what it used. */
class MeasuredSteps {
  readonly #report = new UsageReport()
  readonly #child: ChildProcess
  readonly #answers: AsyncIterator<string>

  constructor(dir: string) {
    const args = [...this.#report.flags, FORAGER, 'step', '--dir', dir]
    this.#child = spawn(process.execPath, args, {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: this.#report.env,
    })
    this.#answers = createInterface({ input: this.#child.stdout! })[Symbol.asyncIterator]()
  }

  async make(phase: Phase, bucket: number): Promise<void> {
    this.#child.stdin!.write(`${EPOCH} ${phase} ${bucket}\n`)
    if ((await this.#answers.next()).done) throw new Error(`${phase} of bucket ${bucket} failed`)
  }

  async end(): Promise<Usage> {
    this.#child.stdin!.end()
    await once(this.#child, 'close')
    return this.#report.take(this.#child.pid)!
  }
}
