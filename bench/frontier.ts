import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { startReplayServer } from '#app/server/replay-server.ts'
import { fetchByFrontier, frontierClient } from '#app/server/url-frontier/fetcher.test-kit.ts'
import { readArchive } from '#archive/format/read-archive.ts'
import { benchmark, mustHold } from './harness/benchmark.ts'
import { rounded } from './harness/cost.ts'
import { inFolder } from './harness/in-folder.ts'
import { FORAGER, runForager } from './harness/run-program.ts'
import { importQueries, judge } from './webs/judged-web.ts'

/** Timers may fire a little early, and a report may be there before its answer is seen to have gone. */
const TOLERANCE_MS = 25

/** A request as the served web saw it. */
interface Asked {
  readonly host: string
  readonly at: number
  endedAt: number
}

export default benchmark({
  about:
    'A fetcher over gRPC on a served model web, by our plan and by that of links (breadth-first): answer quality at equal fetches, and whether hosts got their rest',
  flags: { pages: 2_000, share: 20, seed: 7, delayMs: 100 },
  run: ({ pages, share, seed, delayMs }) =>
    inFolder(async (folder) => {
      const web = join(folder, 'web')
      await runForager('lab', 'generate', '--pages', pages, '--seed', seed, '--out', web, '--json')
      const budget = Math.round((pages * share) / 100)
      const quality = judge(web)
      const crawl = async (name: string, tells: 'content' | 'links', ...flags: string[]) => {
        console.error(`fetching by ${name} …`)
        const dir = join(folder, name)
        mkdirSync(dir)
        await importQueries(web, join(dir, 'DEFAULT'))
        const delay = `${delayMs / 1000}`
        const crawled = await crawlWith(web, { dir, budget, delay, tells, flags })
        const { fetches, pages: had, asked, seconds } = crawled
        const complaints = tooSoon(asked, delayMs)
        return {
          ...{ fetches, pages: had.length, quality: rounded(quality(had)) },
          ...{ requests: asked.length, tooSoon: complaints, seconds: rounded(seconds) },
        }
      }
      const ours = await crawl('content', 'content')
      const byLinks = await crawl('links', 'links')
      const breadthFirst = await crawl('bfs', 'content', '--policy', 'bfs')
      const all = [ours, byLinks, breadthFirst]
      const isPolite = all.every(({ tooSoon }) => tooSoon === 0)
      const isWithin = all.every(({ fetches }) => fetches <= budget)
      const isGood = isPolite && isWithin && ours.quality > breadthFirst.quality
      return { ok: mustHold(isGood), budget, ours, byLinks, breadthFirst }
    }),
})

interface Crawling {
  readonly dir: string
  readonly budget: number
  readonly delay: string
  readonly tells: 'content' | 'links'
  readonly flags: readonly string[]
}

async function crawlWith(web: string, { dir, budget, delay, tells, flags }: Crawling) {
  const archive = await readArchive(web)
  const asked: Asked[] = []
  const site = await startReplayServer({
    ...{ archive, port: 0, from: archive.snapshotCount - 1, speed: 0, answerMs: 2 },
    onRequest: (url) => {
      const one = { host: new URL(url).host, at: performance.now(), endedAt: Infinity }
      asked.push(one)
      return () => {
        one.endedAt = performance.now()
      }
    },
  })
  const { child, port } = await startServer(
    ...['--dir', dir, '--budget', `${budget}`, '--delay', delay, ...flags],
  )
  const client = await frontierClient(port)
  const startedAt = performance.now()
  try {
    await client.put(...archive.site.start.map((url) => ({ discovered: { info: { url } } })))
    const fetched = await fetchByFrontier({ client, webPort: site.port, budget, tells })
    return { ...fetched, asked, seconds: (performance.now() - startedAt) / 1000 }
  } finally {
    client.close()
    child.kill('SIGTERM')
    await once(child, 'exit')
    await site.close()
  }
}

async function startServer(...flags: readonly string[]) {
  const args = [FORAGER, 'frontier', '--port', '0', '--json', '--no-config', ...flags]
  const child: ChildProcess = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = await once(child.stdout!, 'data')
  return { child, port: Number(JSON.parse(String(line)).port) }
}

/** Requests to a host beside another, or before its rest was over. */
function tooSoon(asked: readonly Asked[], delayMs: number): number {
  const last = new Map<string, Asked>()
  let count = 0
  for (const one of asked) {
    const before = last.get(one.host)
    if (before && one.at - before.endedAt < delayMs - TOLERANCE_MS) count++
    last.set(one.host, one)
  }
  return count
}
