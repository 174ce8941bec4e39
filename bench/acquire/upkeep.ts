import { startReplayServer } from '#app/server/replay-server.ts'
import type { Archive } from '#archive/format/archive.ts'
import { archiveOf } from '#archive/format/assemble-archive.ts'
import { readArchive } from '#archive/format/read-archive.ts'
import { readWorkload } from '#archive/format/read-workload.ts'
import { RecordedWeb } from '#archive/recorded-web.ts'
import { generateModelWeb } from '#lab/model-web/generate.ts'
import { recordedScope } from '#lab/worlds/recorded-scope.ts'
import { WorldCrawl } from '#lab/worlds/world-crawl.ts'
import { QueryKnowledge } from '#policy/facts/query-knowledge.ts'
import type { Query } from '#workload/workload.ts'
import { rounded } from '../harness/cost.ts'
import { inFolder } from '../harness/in-folder.ts'
import { crawlServed } from '../harness/run-program.ts'

/** Fetches between two plans. */
const CYCLE = 100

/**
 * What keeping up with a crawl costs, a page: addresses and anchors are read for the words of queries. As
 * a share of the CPU of a crawl of as many pages by PageRank, over HTTP.
 */
export async function measureUpkeep(dir: string, pages: number, seed: number) {
  const { archive, queries } = dir ? await readReal(dir) : drawWeb(pages, seed)
  const upkeep = await upkeepCpu(archive, queries, pages)
  const crawl = await crawlCpu(archive, pages)
  const figures = {
    pages: upkeep.pages,
    queries: queries.length,
    upkeepMsPerPage: rounded((1000 * upkeep.cpuSeconds) / upkeep.pages),
    crawlMsPerPage: rounded((1000 * crawl.cpuSeconds) / crawl.pages),
  }
  const upkeepShare = rounded(figures.upkeepMsPerPage / figures.crawlMsPerPage)
  console.error(`upkeep: ${JSON.stringify({ ...figures, upkeepShare })}`)
  return { ...figures, upkeepShare }
}

interface Web {
  readonly archive: Archive
  readonly queries: readonly Query[]
}

async function readReal(dir: string): Promise<Web> {
  return { archive: await readArchive(dir), queries: (await readWorkload(dir)).queries }
}

function drawWeb(pages: number, seed: number): Web {
  const web = generateModelWeb({ seed, pages: Math.max(500, 2 * pages), weeks: 2 })
  return { archive: archiveOf(web), queries: web.workload?.queries ?? [] }
}

/** Crawls breadth-first; counts only what knowing words and links adds. */
async function upkeepCpu(archive: Archive, queries: readonly Query[], most: number) {
  const week = archive.snapshotCount - 1
  const scope = recordedScope(new RecordedWeb(archive, week))
  const crawl = new WorldCrawl({ archive, week, log: [], seed: 0, seeksSitemaps: false, scope })
  const { frontier } = crawl.state
  const { index } = crawl
  const asked = new QueryKnowledge(frontier, index, queries)
  let [pages, cpuSeconds] = [0, 0]
  while (pages < most) {
    const wave = crawl.candidates().subarray(0, Math.min(CYCLE, most - pages))
    if (wave.length === 0) break
    await crawl.visit(Array.from(wave, (url) => frontier.urls.urlOf(url)))
    const before = process.cpuUsage()
    asked.takeUpLinks()
    const { user, system } = process.cpuUsage(before)
    cpuSeconds += (user + system) / 1e6
    pages += wave.length
  }
  return { pages, cpuSeconds }
}

/** A crawl by PageRank, as a process of its own. */
async function crawlCpu(archive: Archive, budget: number) {
  const from = archive.snapshotCount - 1
  const server = await startReplayServer({ archive, port: 0, from, speed: 0 })
  const crawl = { seeds: archive.site.start, budget, port: server.port, policy: 'pagerank' }
  try {
    const { result, cpuSeconds } = await inFolder((dir) => crawlServed({ dir, ...crawl }))
    return { pages: Number(result.fetchedNow), cpuSeconds }
  } finally {
    await server.close()
  }
}
