import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { UsageError } from '#app/text/usage-error.ts'
import { rounded } from '../harness/cost.ts'
import { inFolder } from '../harness/in-folder.ts'
import { runProgram } from '../harness/run-program.ts'
import { writeCrawlDir } from '../webs/crawl-dir.ts'
import { type ServedControl, serveControl } from './serve-control.ts'

const FILLER = join(import.meta.dirname, 'fill-crawl-dir.ts')
const SEED = 'https://www0.domain0.com/section/article-0.html'
const about = (url: string) => `url=${encodeURIComponent(url)}`
/** What tables tell. */
const OF_TABLES: Readonly<Record<string, string>> = {
  overview: '/control',
  queries: '/control/queries',
  page: `/control/page?${about(SEED)}`,
  belief: '/control/belief',
  hosts: '/control/hosts',
  host: '/control/host?name=www0.domain0.com',
  board: '/control/board',
  changes: '/control/changes?days=365',
}
/** What needs the crawl in memory; some take a plan, or a search for every query, the first time. */
const ofAll = (query: string): Readonly<Record<string, string>> => ({
  'what is held': '/control/part/standing',
  query: `/control/query?q=${query}`,
  'list of queries': '/control/part/queries',
  'what was learnt': '/control/part/learnt',
  'next fetches': '/control/part/board',
  'who wants a page': `/control/part/explain?${about(SEED)}`,
  'greatest needs': '/control/part/needs',
})

interface Times {
  /** As a browser gets it: the page, or the word that it takes longer. */
  readonly answeredMs: number
  /** All of it, the first time and the next. */
  readonly firstMs: number
  readonly warmMs: number
  /** CPU of the server, the first time: what a busy machine says too. */
  readonly firstCpuMs: number
  readonly rssMb: number
}

/** Looks at every view of a large crawl: what a browser waits for, what all of it takes, and memory. */
export async function viewTimes(sizes: {
  readonly urls: number
  readonly links: number
  readonly fetches: number
  readonly queries: number
  readonly indexed: number
  readonly seed: number
  /** Kept, and used again if it is there; a folder that is gone afterwards if left out. */
  readonly dir: string
}) {
  if (sizes.dir !== '') return timesIn(await filled(sizes.dir, sizes))
  return inFolder(async (dir) => timesIn(await filled(dir, sizes)))
}

async function filled(dir: string, sizes: Parameters<typeof viewTimes>[0]): Promise<string> {
  const mark = join(dir, 'filled.json')
  const { fetches, queries, indexed, urls, links, seed } = sizes
  const made = JSON.stringify({ urls, links, fetches, queries, indexed, seed })
  if (existsSync(mark)) {
    if (readFileSync(mark, 'utf8') === made) return dir
    throw new UsageError(`--dir ${dir} was made with other sizes: ${readFileSync(mark, 'utf8')}`)
  }
  await writeCrawlDir(dir, sizes)
  console.error('filling it …')
  await runProgram(FILLER, [dir, fetches, queries, indexed, SEED])
  writeFileSync(mark, made)
  return dir
}

async function timesIn(dir: string) {
  await using server = await serveControl(dir)
  const startedMb = server.rssMb()
  const begun = performance.now()
  const sinceBegun = () => rounded((performance.now() - begun) / 1000)
  await server.ask('/control?wait=yes')
  const openSeconds = sinceBegun()
  console.error(`tables open after ${openSeconds} s, ${server.rssMb()} MB`)
  const tablesMb = server.rssMb()
  const tables = await timesOf(server, OF_TABLES)
  await server.ask('/control/part/standing')
  const wholeSeconds = sinceBegun()
  console.error(`whole after ${wholeSeconds} s, ${server.rssMb()} MB`)
  const { queries: asked } = JSON.parse(await server.ask('/api/control/queries?limit=1'))
  const query = encodeURIComponent(asked.at(0)?.query ?? '')
  const later = await timesOf(server, ofAll(query))
  return {
    ...{ openSeconds, wholeSeconds, startedMb, tablesMb, rssMb: server.rssMb() },
    // Once more: what tables tell, beside a crawl in memory.
    ...{ views: tables, later, again: await timesOf(server, OF_TABLES) },
  }
}

async function timesOf(server: ServedControl, paths: Readonly<Record<string, string>>) {
  const times: Record<string, Times> = {}
  for (const [name, path] of Object.entries(paths)) {
    const waiting = `${path}${path.includes('?') ? '&' : '?'}wait=yes`
    const cpuBefore = server.cpuSeconds()
    const answeredMs = await server.ms(path)
    const begun = performance.now()
    await server.ask(waiting)
    const firstMs = Math.round(answeredMs + performance.now() - begun)
    const firstCpuMs = Math.round(1000 * (server.cpuSeconds() - cpuBefore))
    const warmMs = await server.ms(path)
    times[name] = { answeredMs, firstMs, firstCpuMs, warmMs, rssMb: server.rssMb() }
    console.error(`${name}: ${JSON.stringify(times[name])}`)
  }
  return times
}
