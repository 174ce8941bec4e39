import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CrawlStore } from '#repository/state/crawl-store.ts'
import { benchmark, mustHold } from './harness/benchmark.ts'
import { rounded } from './harness/cost.ts'
import { inFolder } from './harness/in-folder.ts'
import { writeCrawlDir } from './webs/crawl-dir.ts'

/** From a warm server, for what takes no plan. */
const MOST_MS = 300
const BIN = join(import.meta.dirname, '..', 'bin', 'forager.js')
const SEED = 'https://www0.domain0.com/'
const VIEWS: Readonly<Record<string, string>> = {
  overview: '/control',
  queries: '/control/queries',
  page: `/control/page?url=${encodeURIComponent(SEED)}`,
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
  'who wants a page': `/control/part/explain?url=${encodeURIComponent(SEED)}`,
}

export default benchmark({
  about:
    'Looks at every view of the control room over millions of URLs: first and warm times, memory',
  flags: { urls: 5_000_000, links: 20_000_000, seed: 7, parts: 'yes' },
  run: ({ urls, links, seed, parts }) =>
    inFolder(async (dir) => {
      const fetches = await writeCrawlDir(dir, { urls, links, seed })
      const store = await CrawlStore.open(dir)
      await store.saveSetting('seeds', JSON.stringify([SEED]))
      store.close()
      const measured = await lookAt(dir, parts === 'yes')
      const slowest = Math.max(...Object.values(measured.views).map(({ warmMs }) => warmMs))
      return {
        ok: mustHold(slowest <= MOST_MS),
        urls,
        fetches,
        slowestWarmMs: slowest,
        ...measured,
      }
    }),
})

/** Asks a server of its own for every view, twice. */
async function lookAt(dir: string, withParts: boolean) {
  const flags = ['serve', '--control', '--no-query-log', '--no-config', '--rate', '0', '--json']
  const child = spawn(process.execPath, [BIN, ...flags, '--port', '0', '--dir', dir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    const [line] = await once(child.stdout, 'data')
    const { url } = JSON.parse(String(line))
    const ms = async (path: string) => {
      const begun = performance.now()
      const answer = await fetch(new URL(path, url), { headers: { 'x-part': '1' } })
      await answer.text()
      if (answer.status !== 200) throw new Error(`${path}: status ${answer.status}`)
      return Math.round(performance.now() - begun)
    }
    const openMs = await ms('/api/control/changes?days=1')
    const timesOf = async (paths: Readonly<Record<string, string>>) => {
      const times: Record<string, { firstMs: number; warmMs: number }> = {}
      for (const [name, path] of Object.entries(paths)) {
        times[name] = { firstMs: await ms(path), warmMs: await ms(path) }
        console.error(`${name}: ${times[name].firstMs} ms, then ${times[name].warmMs} ms`)
      }
      return times
    }
    const views = await timesOf(VIEWS)
    const rssMb = rssOf(child.pid!)
    const later = withParts ? await timesOf(PARTS) : {}
    return {
      openSeconds: rounded(openMs / 1000),
      views,
      later,
      rssMb,
      rssMbAfterPlans: rssOf(child.pid!),
    }
  } finally {
    child.kill('SIGTERM')
    await once(child, 'exit')
  }
}

function rssOf(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)![1]) / 1024)
}
