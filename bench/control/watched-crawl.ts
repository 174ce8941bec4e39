import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { startReplayServer } from '#app/server/replay-server.ts'
import { readArchive } from '#archive/format/read-archive.ts'
import { writeArchive } from '#archive/format/write-archive.ts'
import { generateModelWeb } from '#lab/model-web/generate.ts'
import { importQueryList } from '#library/queries/import-log.ts'
import { rounded } from '../harness/cost.ts'
import { inFolder } from '../harness/in-folder.ts'
import { median } from '../harness/median.ts'
import { crawlServed } from '../harness/run-program.ts'
import { serveControl } from './serve-control.ts'

/** What a browser with the overview open asks for whenever it hears of news. */
const SEEN = ['/control', '/control/part/left', '/control/part/needs']

interface WatchedRun {
  readonly cpuRatio: number
  readonly wallRatio: number
  readonly roomShareOfCpu: number
  readonly looks: number
}

/** Crawls alone and with a person watching, by turns: CPU and wall seconds of the crawl, and what watching took itself. */
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
      return crawlServed({ dir, seeds: archive.site.start, budget, port: server.port })
    }
    try {
      const runs: WatchedRun[] = []
      for (let round = 0; round < rounds; round++) {
        const alone = await crawl(`alone-${round}`)
        const name = `watched-${round}`
        const { watched, roomCpuSeconds, looks } = await whileWatched(join(folder, name), () =>
          crawl(name),
        )
        const run = {
          cpuRatio: rounded(watched.cpuSeconds / alone.cpuSeconds),
          wallRatio: rounded(watched.wallSeconds / alone.wallSeconds),
          roomShareOfCpu: rounded(roomCpuSeconds / watched.cpuSeconds),
          looks,
        }
        console.error(JSON.stringify(run))
        runs.push(run)
      }
      const middle = (of: (run: WatchedRun) => number) => median(runs.map(of))
      return {
        cpuRatio: middle(({ cpuRatio }) => cpuRatio),
        wallRatio: middle(({ wallRatio }) => wallRatio),
        roomShareOfCpu: middle(({ roomShareOfCpu }) => roomShareOfCpu),
        runs,
      }
    } finally {
      await server.close()
    }
  })
}

/** Does what a browser does with an overview that is open all the while. */
async function whileWatched<T>(dir: string, work: () => Promise<T>) {
  mkdirSync(dir, { recursive: true })
  await using server = await serveControl(dir)
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
  const watched = await work()
  const roomCpuSeconds = server.cpuSeconds() - before
  end.abort()
  await watching
  return { watched, roomCpuSeconds, looks }
}
