import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { benchmark } from './harness/benchmark.ts'
import { rounded } from './harness/cost.ts'
import { inFolder } from './harness/in-folder.ts'
import { CRAWLEE, installPeers } from './harness/peers.ts'
import { crawlServed, type ProgramRun, runProgram } from './harness/run-program.ts'
import { hostOfPage, pathOfPage } from './webs/written-site.ts'

const SITE_SERVER = join(import.meta.dirname, 'webs', 'written-site-server.ts')

interface CrawlFigures {
  readonly pages: number
  readonly pagesPerS: number
  /** CPU seconds (user and system, all threads) for 1,000 pages, start-up included. */
  readonly cpuPer1000: number
  readonly rssMb: number
}

/** A site to be crawled whole from its seed. */
interface Served {
  readonly seed: string
  readonly port: number
  readonly pages: number
  readonly hosts: number
}

/**
 * Crawlee's CheerioCrawler runs as it comes, which like Forager keeps its queue on disk, and without any storage,
 * which is its fastest. Both fetch in the order links were found; what it costs to choose better is seen once, with
 * Forager's default policy and no query log.
 */
export default benchmark({
  about: 'Crawls one site over HTTP by turns with Forager, everything on, and with Crawlee',
  flags: { pages: 6_000, hosts: 12, bytes: 45_000, rounds: 2 },
  async run({ pages, hosts, bytes, rounds }) {
    installPeers()
    console.error(`writing ${pages} pages …`)
    const site = { pages, hosts, pageBytes: bytes }
    const server = fork(SITE_SERVER, [pages, hosts, bytes].map(String))
    const [{ port, meanBytes }] = await once(server, 'message')
    const served = { seed: `http://${hostOfPage(site, 0)}${pathOfPage(0)}`, port, pages, hosts }
    console.error(`serving ${pages} pages of ${meanBytes} bytes and 80 links on ${hosts} hosts`)
    try {
      const forager: CrawlFigures[] = []
      const crawlee: CrawlFigures[] = []
      const inMemory: CrawlFigures[] = []
      for (let round = 0; round < rounds; round++) {
        forager.push(told('Forager', await inFolder((dir) => runForager(served, dir, 'bfs'))))
        crawlee.push(told('Crawlee', await inFolder((dir) => runCrawlee(served, dir))))
        inMemory.push(told('Crawlee in memory', await runCrawlee(served)))
      }
      const choosing = await inFolder((dir) => runForager(served, dir, 'unified'))
      const ours = median(forager)
      const theirs = median(crawlee)
      const theirBest = median(inMemory)
      return {
        rounds,
        forager: ours,
        foragerByDefault: told('Forager by default', choosing),
        crawlee: theirs,
        ...compare(ours, theirs),
        crawleeInMemory: { ...theirBest, ...compare(ours, theirBest) },
      }
    } finally {
      server.kill()
    }
  },
})

async function runForager(
  { seed, port, pages, hosts }: Served,
  dir: string,
  policy: string,
): Promise<CrawlFigures> {
  // Each host is asked for a sitemap once, and has none.
  const run = await crawlServed({ dir, seeds: [seed], budget: pages + hosts, port, policy })
  const { page } = run.result.outcomes as { page: number }
  return figures('Forager', page, pages, run)
}

async function runCrawlee({ seed, port, pages }: Served, storage?: string): Promise<CrawlFigures> {
  const run = await runProgram(CRAWLEE, [seed, port, ...(storage === undefined ? [] : [storage])])
  return figures('Crawlee', run.result.pages as number, pages, run)
}

function figures(who: string, found: number, pages: number, run: ProgramRun): CrawlFigures {
  if (found < pages) throw new Error(`${who} found ${found} of ${pages} pages`)
  return {
    pages: found,
    pagesPerS: rounded(found / run.wallSeconds),
    cpuPer1000: rounded((run.cpuSeconds / found) * 1000),
    rssMb: run.rssMb,
  }
}

function compare(ours: CrawlFigures, theirs: CrawlFigures) {
  return {
    cpuRatio: rounded(theirs.cpuPer1000 / ours.cpuPer1000),
    speedRatio: rounded(ours.pagesPerS / theirs.pagesPerS),
  }
}

function told(who: string, figures: CrawlFigures): CrawlFigures {
  console.error(`${who}: ${JSON.stringify(figures)}`)
  return figures
}

function median(runs: readonly CrawlFigures[]): CrawlFigures {
  const of = (figure: (run: CrawlFigures) => number) => {
    const sorted = runs.map(figure).sort((a, b) => a - b)
    const middle = sorted.length / 2
    return rounded((sorted[Math.floor(middle)] + sorted[Math.ceil(middle) - 1]) / 2)
  }
  return {
    pages: of(({ pages }) => pages),
    pagesPerS: of(({ pagesPerS }) => pagesPerS),
    cpuPer1000: of(({ cpuPer1000 }) => cpuPer1000),
    rssMb: of(({ rssMb }) => rssMb),
  }
}
