import { availableParallelism } from 'node:os'
import { figuresOf } from './crawl/figures.ts'
import { benchmark, mustHold } from './harness/benchmark.ts'
import { rounded } from './harness/cost.ts'
import { inFolder } from './harness/in-folder.ts'
import { crawlServed } from './harness/run-program.ts'
import { whileServed } from './webs/served-site.ts'
import { type BenchSite, hostOfPage, pathOfPage } from './webs/written-site.ts'

/** By how much two cores must be faster than one, at how much more CPU a page at most. */
const MARKS = { faster: 1.5, cpu: 1.1 }

export default benchmark({
  about:
    'Crawls a site whose answers take a while with 1, 2, 4 and 8 workers, and one that answers at once on one core',
  flags: { pages: 2_000, hosts: 120, bytes: 45_000, latency: 100, workers: '1,2,4,8' },
  async run({ pages, hosts, bytes, latency, workers }) {
    const site = { pages, hosts, pageBytes: bytes }
    const counts = workers.split(',').map(Number)
    const late = await whileServed(site, latency, async ({ port }) => {
      const runs: Record<string, unknown> = {}
      for (const count of counts)
        runs[count] = await crawl(`${count} workers`, site, port, { workers: count })
      return runs
    })
    const prompt = await whileServed(site, 0, async ({ port }) => ({
      one: await crawl('one core', site, port, { cores: '0' }),
      all: await crawl('all cores', site, port, {}),
    }))
    const { one, all } = prompt
    const faster = rounded(all.pagesPerS / one.pagesPerS)
    const cpu = rounded(all.cpuPer1000 / one.cpuPer1000)
    const ok = mustHold(faster >= MARKS.faster && cpu <= MARKS.cpu)
    // Each host is asked by one connection: more than this latency alone does not allow.
    const limit = { pagesPerS: rounded((1000 * hosts) / latency), cores: availableParallelism() }
    return {
      ok,
      latencyMs: latency,
      byWorkers: late,
      limit,
      cores: { ...prompt, faster, cpu },
      marks: MARKS,
    }
  },
})

function crawl(
  name: string,
  site: BenchSite,
  port: number,
  { workers, cores }: { readonly workers?: number; readonly cores?: string },
) {
  return inFolder(async (dir) => {
    const seeds = [`http://${hostOfPage(site, 0)}${pathOfPage(0)}`]
    const flags = [
      '--concurrency',
      site.hosts,
      ...(workers === undefined ? [] : ['--workers', workers]),
    ]
    const budget = site.pages + site.hosts
    const run = await crawlServed({ dir, seeds, budget, port, policy: 'bfs', cores, flags })
    const { page } = run.result.outcomes as { page: number }
    return figuresOf(name, page, site.pages, run)
  })
}
