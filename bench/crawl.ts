import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rounded } from './cost.ts'
import { CRAWLEE, installPeers } from './crawl-peers.ts'
import { type ProgramRun, runProgram, serveSite } from './crawl-process.ts'
import { hostOfPage, pathOfPage } from './crawl-site.ts'
import { numberFlags } from './flags.ts'

const FORAGER = join(import.meta.dirname, '..', 'bin', 'forager.js')

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
 * Crawls one site by turns with Forager, everything on, and with Crawlee's CheerioCrawler: as it
 * comes, which like Forager keeps its queue on disk, and without any storage, which is its fastest. Both fetch in the
 * order links were found; what it costs to choose better is seen once, with Forager's default policy and no query log.
 */
export async function run(args: string[]): Promise<object> {
  const flags = { pages: 6_000, hosts: 12, bytes: 45_000, rounds: 2 }
  const { pages, hosts, bytes, rounds } = numberFlags(args, flags)
  installPeers()
  console.error(`writing ${pages} pages …`)
  const site = { pages, hosts, pageBytes: bytes }
  const { port, meanBytes, stop } = await serveSite(site)
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
      benchmark: 'crawl',
      rounds,
      forager: ours,
      foragerByDefault: told('Forager by default', choosing),
      crawlee: theirs,
      ...compare(ours, theirs),
      crawleeInMemory: { ...theirBest, ...compare(ours, theirBest) },
    }
  } finally {
    stop()
  }
}

/** As a user would, with robots.txt, tables, journal and WARC files; only the pauses are off. */
async function runForager(
  { seed, port, pages, hosts }: Served,
  dir: string,
  policy: string,
): Promise<CrawlFigures> {
  // Each host is asked for a sitemap once, and has none.
  const args = ['crawl', seed, '--dir', dir, '--budget', String(pages + hosts), '--json']
  args.push('--policy', policy)
  args.push('--resolve', `*=127.0.0.1:${port}`, '--contact', 'bench@bench.test')
  args.push('--delay', '0', '--response-factor', '0')
  const run = await runProgram(FORAGER, args)
  const { page } = run.result.outcomes as { page: number }
  if (page < pages) throw new Error(`Forager found ${page} of ${pages} pages`)
  return figures(page, run)
}

async function runCrawlee({ seed, port, pages }: Served, storage?: string): Promise<CrawlFigures> {
  const folder = storage === undefined ? [] : [storage]
  const run = await runProgram(CRAWLEE, [seed, String(port), ...folder])
  const found = run.result.pages as number
  if (found < pages) throw new Error(`Crawlee found ${found} of ${pages} pages`)
  return figures(found, run)
}

async function inFolder<T>(work: (dir: string) => Promise<T>): Promise<T> {
  const dir = mkdtempSync(join(tmpdir(), 'forager-bench-'))
  try {
    return await work(dir)
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

function compare(ours: CrawlFigures, theirs: CrawlFigures) {
  return {
    cpuRatio: rounded(theirs.cpuPer1000 / ours.cpuPer1000),
    speedRatio: rounded(ours.pagesPerS / theirs.pagesPerS),
  }
}

function figures(pages: number, run: ProgramRun): CrawlFigures {
  return {
    pages,
    pagesPerS: rounded(pages / run.wallSeconds),
    cpuPer1000: rounded((run.cpuSeconds / pages) * 1000),
    rssMb: run.rssMb,
  }
}

function told(who: string, figures: CrawlFigures): CrawlFigures {
  const { pages, pagesPerS, cpuPer1000, rssMb } = figures
  console.error(
    `${who}: ${pages} pages, ${pagesPerS} a second, ${cpuPer1000} CPU-s per 1000, ${rssMb} MB`,
  )
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
