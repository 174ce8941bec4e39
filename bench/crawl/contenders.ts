import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inFolder } from '../harness/in-folder.ts'
import { CRAWLEE } from '../harness/peers.ts'
import { crawlServed, runForager, runProgram } from '../harness/run-program.ts'
import { type BenchSite, hostOfPage, pathOfPage, SiteWriter } from '../webs/written-site.ts'
import { type CrawlFigures, figuresOf } from './figures.ts'

const FETCH_ALL = join(import.meta.dirname, 'fetch-all.mjs')
const SPIDER = join(import.meta.dirname, 'scrapy_spider.py')

/** A site to be crawled whole from its seed. */
export interface Served {
  readonly site: BenchSite
  readonly port: number
}

/** One way to crawl it. */
export type Contender = (served: Served) => Promise<CrawlFigures>

const seedOf = (site: BenchSite) => `http://${hostOfPage(site, 0)}${pathOfPage(0)}`

/** Forager with everything on, by a policy, and with a query log of so many searches. */
export function forager(name: string, policy: string, queries = 0): Contender {
  return ({ site, port }) =>
    inFolder(async (dir) => {
      if (queries > 0) {
        const log = join(dir, 'queries.csv')
        writeFileSync(log, new SiteWriter(site).queryLog(queries))
        await runForager('queries', 'import', log, '--format', 'csv', '--dir', dir, '--json')
      }
      // Each host is asked for a sitemap once, and has none.
      const budget = site.pages + site.hosts
      const run = await crawlServed({ dir, seeds: [seedOf(site)], budget, port, policy })
      const { page } = run.result.outcomes as { page: number }
      return figuresOf(name, page, site.pages, run)
    })
}

/** Crawlee's CheerioCrawler, with its queue on disk as it comes, or with everything in memory. */
export function crawlee(name: string, isOnDisk: boolean): Contender {
  return ({ site, port }) =>
    inFolder(async (dir) => {
      const run = await runProgram(CRAWLEE, [seedOf(site), port, ...(isOnDisk ? [dir] : [])])
      return figuresOf(name, run.result.pages as number, site.pages, run)
    })
}

/** Fetches the pages and does nothing with them, by Node's own client: below this no crawler in Node can be. */
export const fetchesOnly: Contender = async ({ site, port }) => {
  const run = await runProgram(FETCH_ALL, [site.pages, site.hosts, port])
  return figuresOf('fetching alone', run.result.pages as number, site.pages, run)
}

/** wget2 in mirror mode: it takes links, and writes pages to a folder. */
export const wget2: Contender = ({ site, port }) =>
  inFolder(async (dir) => {
    const domains = Array.from({ length: site.hosts }, (_, host) => hostOfPage(site, host))
    const usage = timed([
      ...['wget2', '--mirror', '--span-hosts', `--domains=${domains.join()}`, '--quiet'],
      ...['--follow-tags=a/href', '--max-threads=8', `--directory-prefix=${dir}`],
      ...[`--http-proxy=http://127.0.0.1:${port}`, seedOf(site)],
    ])
    const files = readdirSync(dir, { recursive: true, withFileTypes: true })
    const pages = files.filter((file) => file.isFile() && /html$/.test(file.name))
    return figuresOf('wget2', pages.length, site.pages, usage)
  })

/** Scrapy's CrawlSpider with its LinkExtractor. */
export const scrapy: Contender = ({ site, port }) =>
  inFolder(async (dir) => {
    const counted = join(dir, 'pages')
    const usage = timed(
      [
        'scrapy',
        'runspider',
        SPIDER,
        '--nolog',
        '-a',
        `seed=${seedOf(site)}`,
        '-a',
        `counted=${counted}`,
      ],
      { http_proxy: `http://127.0.0.1:${port}` },
    )
    return figuresOf('Scrapy', Number(readFileSync(counted, 'utf8')), site.pages, usage)
  })

/** Whether a program can be found. */
export function isInstalled(program: string): boolean {
  return spawnSync('which', [program]).status === 0
}

/** Runs a program that is not Node's to its end, measured by the shell. */
function timed(command: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const script = 'TIMEFORMAT="%R %U %S"; time "$@" > /dev/null 2>&1'
  const { stderr } = spawnSync('bash', ['-c', script, 'bash', ...command], {
    encoding: 'utf8',
    env: { ...process.env, ...env },
  })
  const [wallSeconds, user, system] = stderr.trim().split(/\s+/).map(Number)
  return { wallSeconds, cpuSeconds: user + system }
}
