import {
  type Contender,
  crawlee,
  fetchesOnly,
  forager,
  isInstalled,
  type Served,
  scrapy,
  wget2,
} from './crawl/contenders.ts'
import { type CrawlFigures, medianOf } from './crawl/figures.ts'
import { benchmark, mustHold } from './harness/benchmark.ts'
import { rounded } from './harness/cost.ts'
import { installPeers } from './harness/peers.ts'
import { whileServed } from './webs/served-site.ts'

/** CPU a page, as multiples: at most so much of others, and of our own in link order. */
const MARKS = {
  ofCrawlee: 1 / 8,
  ofCrawleeInMemory: 1 / 4,
  ofWget2: 6,
  byDefault: 1.25,
  withQueryLog: 1.6,
}
const RSS_MB = 300

/**
 * Forager in link order, as Crawlee does; what it costs to choose better is seen by its default policy, without and
 * with a query log. Crawlee's CheerioCrawler runs as it comes, which like Forager keeps its queue on disk, and with
 * everything in memory. wget2 and Scrapy take part where they are installed.
 */
export default benchmark({
  about: 'Crawls one site over HTTP by turns with Forager, everything on, and with other crawlers',
  flags: { pages: 6_000, hosts: 12, bytes: 45_000, rounds: 3, queries: 1_000, only: '' },
  async run({ pages, hosts, bytes, rounds, queries, only }) {
    const wanted = only === '' ? undefined : new Set(only.split(','))
    const contenders = Object.entries(allContenders(queries)).filter(
      ([name]) => wanted?.has(name) ?? true,
    )
    if (contenders.some(([name]) => name.startsWith('crawlee'))) installPeers()
    console.error(`writing ${pages} pages …`)
    const site = { pages, hosts, pageBytes: bytes }
    return whileServed(site, 0, async ({ port, meanBytes }) => {
      console.error(`serving ${pages} pages of ${meanBytes} bytes and 80 links on ${hosts} hosts`)
      const medians = await measureByTurns(contenders, { site, port }, rounds)
      return { rounds, ...medians, ...judged(medians) }
    })
  },
})

function allContenders(queries: number): Readonly<Record<string, Contender>> {
  return {
    forager: forager('Forager', 'bfs'),
    foragerByDefault: forager('Forager by default', 'unified'),
    foragerWithQueryLog: forager('Forager with a query log', 'unified', queries),
    crawlee: crawlee('Crawlee', true),
    crawleeInMemory: crawlee('Crawlee in memory', false),
    fetchesOnly,
    ...(isInstalled('wget2') && { wget2 }),
    ...(isInstalled('scrapy') && { scrapy }),
  }
}

type Medians = Readonly<Record<string, CrawlFigures>>

/** Round by round, so that whatever else the machine does slows all. */
async function measureByTurns(
  contenders: readonly (readonly [name: string, run: Contender])[],
  served: Served,
  rounds: number,
): Promise<Medians> {
  const runs = new Map<string, CrawlFigures[]>(contenders.map(([name]) => [name, []]))
  for (let round = 0; round < rounds; round++)
    for (const [name, run] of contenders) runs.get(name)!.push(await run(served))
  return Object.fromEntries(Array.from(runs, ([name, figures]) => [name, medianOf(figures)]))
}

/** How the medians stand to each other, and which marks are reached; a program that was left out is not judged. */
function judged({
  forager: ours,
  crawlee,
  crawleeInMemory,
  foragerByDefault,
  foragerWithQueryLog,
  wget2,
  fetchesOnly,
}: Medians) {
  if (ours === undefined) return {}
  const ratios = {
    ...cpuRatio('ofCrawlee', ours, crawlee),
    ...cpuRatio('ofCrawleeInMemory', ours, crawleeInMemory),
    ...cpuRatio('ofWget2', ours, wget2),
    ...cpuRatio('byDefault', foragerByDefault, ours),
    ...cpuRatio('withQueryLog', foragerWithQueryLog, ours),
  }
  const isReached = Object.fromEntries(
    Object.entries(ratios).map(([name, ratio]) => [
      name,
      ratio <= MARKS[name as keyof typeof MARKS],
    ]),
  )
  const isSmall = (ours.rssMb ?? 0) <= RSS_MB
  return {
    ok: mustHold(isSmall && Object.values(isReached).every(Boolean)),
    cpuRatios: ratios,
    marks: MARKS,
    isReached: { ...isReached, rssMb: isSmall },
    // Below what fetching alone takes in Node, no crawler in Node can be.
    ...cpuRatio('cpuOfFetchingAlone', ours, fetchesOnly),
  }
}

function cpuRatio(
  name: string,
  of: CrawlFigures | undefined,
  to: CrawlFigures | undefined,
): Readonly<Record<string, number>> {
  return of && to ? { [name]: rounded(of.cpuPer1000 / to.cpuPer1000) } : {}
}
