import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { benchmark, mustHold } from './harness/benchmark.ts'
import { rounded } from './harness/cost.ts'
import { inFolder } from './harness/in-folder.ts'
import { crawlServed } from './harness/run-program.ts'
import { writeCrawlDir } from './webs/crawl-dir.ts'

const MOST_SECONDS = 15
const MOST_RSS_MB = 1_500

export default benchmark({
  about: 'Resumes a crawl of millions of known URLs: how long until its first request, what memory',
  flags: { urls: 2_000_000, links: 20_000_000, fetches: 200, seed: 7 },
  run: ({ urls, links, fetches, seed }) =>
    inFolder(async (dir) => {
      const spent = await writeCrawlDir(dir, { urls, links, seed })
      const resumed = await resume(dir, spent + fetches)
      const isQuick = resumed.secondsToFirstRequest < MOST_SECONDS
      return { ok: mustHold(isQuick && resumed.rssMb < MOST_RSS_MB), urls, links, ...resumed }
    }),
})

/** Runs the crawl process against a server that has a page at every address of every host. */
async function resume(dir: string, budget: number) {
  let firstRequestAt = 0
  const server = createServer((request, response) => {
    firstRequestAt ||= performance.now()
    const isRobots = request.url === '/robots.txt'
    response.writeHead(isRobots ? 404 : 200, { 'content-type': 'text/html' })
    response.end(
      isRobots ? '' : `<title>${request.url}</title><p>A page of ${request.headers.host}`,
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const seeds = ['https://www0.domain0.com/']
  try {
    const startedAt = performance.now()
    const { result, ...run } = await crawlServed({ dir, seeds, budget, port })
    return {
      secondsToFirstRequest: rounded((firstRequestAt - startedAt) / 1000),
      seconds: rounded(run.wallSeconds),
      cpuSeconds: rounded(run.cpuSeconds),
      rssMb: run.rssMb,
      fetched: result.fetchedNow,
      end: result.end,
    }
  } finally {
    server.closeAllConnections()
    server.close()
  }
}
