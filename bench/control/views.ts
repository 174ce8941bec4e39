import { join } from 'node:path'
import { rounded } from '../harness/cost.ts'
import { inFolder } from '../harness/in-folder.ts'
import { runProgram } from '../harness/run-program.ts'
import { writeCrawlDir } from '../webs/crawl-dir.ts'
import { serveControl } from './serve-control.ts'

const FILLER = join(import.meta.dirname, 'fill-crawl-dir.ts')
const SEED = 'https://www0.domain0.com/section/article-0.html'
const about = (url: string) => `url=${encodeURIComponent(url)}`
const VIEWS: Readonly<Record<string, string>> = {
  overview: '/control',
  queries: '/control/queries',
  query: '/control/query?q=',
  page: `/control/page?${about(SEED)}`,
  belief: '/control/belief',
  hosts: '/control/hosts',
  host: '/control/host?name=www0.domain0.com',
  board: '/control/board',
  changes: '/control/changes?days=365',
}
/** Parts that come later than their pages: each takes a plan, or a search for every query, the first time. */
const PARTS: Readonly<Record<string, string>> = {
  'list of queries': '/control/part/queries',
  'next fetches': '/control/part/board',
  'who wants a page': `/control/part/explain?${about(SEED)}`,
  'greatest needs': '/control/part/needs',
}

interface Times {
  /** As a browser gets it: the page, or the word that it takes longer. */
  readonly answeredMs: number
  /** All of it, the first time and the next. */
  readonly firstMs: number
  readonly warmMs: number
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
}) {
  return inFolder(async (dir) => {
    await writeCrawlDir(dir, sizes)
    console.error('filling it …')
    const { fetches, queries, indexed } = sizes
    await runProgram(FILLER, [dir, fetches, queries, indexed, SEED])
    await using server = await serveControl(dir)
    const begun = performance.now()
    await server.ask('/control?wait=yes')
    const openSeconds = rounded((performance.now() - begun) / 1000)
    console.error(`opened in ${openSeconds} s`)
    const { queries: asked } = JSON.parse(await server.ask('/api/control/queries?limit=1'))
    const query = encodeURIComponent(asked.at(0)?.query ?? '')
    const timesOf = async (paths: Readonly<Record<string, string>>) => {
      const times: Record<string, Times> = {}
      for (const [name, path] of Object.entries(paths)) {
        const whole = path.endsWith('q=') ? `${path}${query}` : path
        const waiting = `${whole}${whole.includes('?') ? '&' : '?'}wait=yes`
        const answeredMs = await server.ms(whole)
        const firstMs = answeredMs + (await server.ms(waiting))
        times[name] = { answeredMs, firstMs, warmMs: await server.ms(whole), rssMb: server.rssMb() }
        console.error(`${name}: ${JSON.stringify(times[name])}`)
      }
      return times
    }
    return { openSeconds, views: await timesOf(VIEWS), later: await timesOf(PARTS) }
  })
}
