import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startReplayServer } from '#app/server/replay-server.ts'
import { readArchive } from '#archive/format/read-archive.ts'
import { writeArchive } from '#archive/format/write-archive.ts'
import { generateModelWeb } from '#lab/model-web/generate.ts'
import { readProgress } from '#library/control/progress-file.ts'
import { importQueryList } from '#library/queries/import-log.ts'
import { rounded } from '../harness/cost.ts'
import { inFolder } from '../harness/in-folder.ts'
import { crawlServed, type ProgramRun } from '../harness/run-program.ts'
import { serveControl } from './serve-control.ts'

/** What a browser with the overview open asks for whenever it hears of news. */
const SEEN = [
  '/control',
  ...['standing', 'needs', 'left', 'states'].map((name) => `/control/part/${name}`),
]
/** Tables are there soon after a crawl begins. */
const BEGIN_MS = 2_000

interface Pair {
  /** Watched ÷ alone. */
  readonly cpuRatio: number
  /** Of the second half. */
  readonly rateRatio: number
  /** CPU of the room, of that of the crawl. */
  readonly roomShare: number
  readonly looks: number
}

/** A mean with its interval of 95 %. */
interface Estimate {
  readonly mean: number
  readonly low: number
  readonly high: number
}

/**
 * Crawls alone and with a person watching, in pairs whose order changes from round to round: CPU-seconds a page, pages a
 * second, and what watching took itself. One pair more comes first and is not counted.
 */
export async function watchedCrawls(sizes: {
  readonly pages: number
  readonly budget: number
  readonly rounds: number
  readonly seed: number
}) {
  const { pages, budget, rounds, seed } = sizes
  return inFolder(async (folder) => {
    const web = generateModelWeb({ seed, pages, weeks: 1 })
    await writeArchive(join(folder, 'web'), web)
    const archive = await readArchive(join(folder, 'web'))
    const server = await startReplayServer({ archive, port: 0, from: 0, speed: 0 })
    const crawl = async (name: string) => {
      const dir = join(folder, name)
      mkdirSync(dir, { recursive: true })
      await importQueryList(dir, web.workload!.queries)
      const half = halfWay(dir, budget)
      const seeds = archive.site.start
      const run = await crawlServed({ dir, seeds, budget, port: server.port })
      return { ...run, pagesASecond: half.pagesASecond(fetchesOf(run)) }
    }
    const pair = async (round: number): Promise<Pair> => {
      const watch = () => {
        const name = `watched-${round}`
        return whileWatched(join(folder, name), () => crawl(name))
      }
      const firstAlone = round % 2 === 0 ? await crawl(`alone-${round}`) : undefined
      const { watched, roomCpuSeconds, looks } = await watch()
      const alone = firstAlone ?? (await crawl(`alone-${round}`))
      return {
        cpuRatio: rounded(cpuOfPage(watched) / cpuOfPage(alone)),
        rateRatio: rounded(watched.pagesASecond / alone.pagesASecond),
        roomShare: rounded(roomCpuSeconds / watched.cpuSeconds),
        looks,
      }
    }
    try {
      const pairs: Pair[] = []
      for (let round = 0; round <= rounds; round++) {
        const made = await pair(round)
        console.error(`${round === 0 ? 'to warm up: ' : ''}${JSON.stringify(made)}`)
        if (round > 0) pairs.push(made)
      }
      const of = (name: keyof Pair) => estimate(pairs.map((one) => one[name]))
      return {
        ...{ cpuRatio: of('cpuRatio'), rateRatio: of('rateRatio'), roomShare: of('roomShare') },
        pairs,
      }
    } finally {
      await server.close()
    }
  })
}

const fetchesOf = ({ result }: ProgramRun) => Number(result.spent ?? result.fetches)
const cpuOfPage = (run: ProgramRun) => run.cpuSeconds / fetchesOf(run)

interface Crawled extends ProgramRun {
  /** In the second half: by then whoever watches has opened the crawl. */
  readonly pagesASecond: number
}

/** Notes when a crawl has spent half of its budget. */
function halfWay(dir: string, budget: number) {
  let half: { readonly at: number; readonly spent: number } | undefined
  const timer = setInterval(() => {
    const spent = readProgress(dir)?.spent ?? 0
    if (!half && spent >= budget / 2) half = { at: performance.now(), spent }
  }, 100)
  return {
    pagesASecond(fetches: number): number {
      clearInterval(timer)
      if (!half)
        throw new Error('the crawl ended before it was looked at: give it a larger --budget')
      return (1000 * (fetches - half.spent)) / (performance.now() - half.at)
    },
  }
}

/** Student's t for 95 %, by degrees of freedom from 1 on. */
const STUDENT = [12.71, 4.3, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26, 2.23]

function estimate(values: readonly number[]): Estimate {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  const freedom = values.length - 1
  const half =
    freedom > 0
      ? (STUDENT[freedom - 1] ?? 2) * Math.sqrt(squares / freedom / values.length)
      : Number.POSITIVE_INFINITY
  return { mean: rounded(mean), low: rounded(mean - half), high: rounded(mean + half) }
}

/** Does what a browser does with an overview that is open all the while; what it takes to begin is not counted. */
async function whileWatched(dir: string, work: () => Promise<Crawled>) {
  mkdirSync(dir, { recursive: true })
  await using server = await serveControl(dir)
  const working = work()
  await sleep(BEGIN_MS)
  for (const path of SEEN) await server.ask(path).catch(() => {})
  const end = new AbortController()
  let looks = 0
  const watching = (async () => {
    const { body } = await server.events(end.signal)
    for await (const data of body!) {
      if (!Buffer.from(data).toString().includes('event: news')) continue
      for (const path of SEEN) await server.ask(path)
      looks++
    }
  })().catch(() => {})
  const before = server.cpuSeconds()
  const watched = await working
  const roomCpuSeconds = server.cpuSeconds() - before
  end.abort()
  await watching
  return { watched, roomCpuSeconds, looks }
}
