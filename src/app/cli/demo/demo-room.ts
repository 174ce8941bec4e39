import { once } from 'node:events'
import { join } from 'node:path'
import { readArchive } from '#archive/format/read-archive.ts'
import { readWorkload } from '#archive/format/read-workload.ts'
import { openCrawl } from '#library/crawl.ts'
import { importQueryList } from '#library/queries/import-log.ts'
import { openControlRoom } from '../../server/control/control-room.ts'
import { startReplayServer } from '../../server/replay-server.ts'
import { MOST_LOG_BYTES } from '../../server/search/search-log.ts'
import { serveSearch } from '../search/search-page.ts'
import type { Output } from '../terminal/output.ts'
import { stopOnSignals } from '../terminal/signals.ts'
import { MODEL_WEB } from './demo-impact.ts'

/** Fetches of a visit, as a share of the web's pages. */
const VISIT_SHARE = 0.08

/** Crawls the demo's web as a user would, at two of its weeks, and serves the control room of that until Ctrl-C. */
export async function serveDemoRoom(
  folder: string,
  { pages, port }: { readonly pages: number; readonly port: number },
  output: Output,
): Promise<void> {
  const dir = join(folder, 'crawl')
  output.note(`5. One more crawl of the first web, by what Forager does by itself, to look at:`)
  await visitTwice(folder, dir, Math.round(pages * VISIT_SHARE))
  const control = openControlRoom({ crawl: { dir } })
  const how = { port, host: '127.0.0.1', rate: 0, queryLog: true, queryLogSize: MOST_LOG_BYTES }
  const page = await serveSearch(dir, { ...how, control }, output)
  try {
    output.note(`   Control room: ${page.url}control   Search page: ${page.url}   Ctrl-C ends it`)
    const stop = stopOnSignals(() => {})
    await once(stop.signal, 'abort')
    stop.forget()
  } finally {
    await page.close()
  }
}

async function visitTwice(folder: string, dir: string, fetches: number): Promise<void> {
  const archive = await readArchive(join(folder, MODEL_WEB))
  const { queries } = await readWorkload(join(folder, MODEL_WEB))
  await importQueryList(dir, queries)
  for (const from of [0, archive.snapshotCount - 1]) {
    await using open = new AsyncDisposableStack()
    const server = await startReplayServer({ archive, port: 0, from, speed: 0 })
    open.defer(() => server.close())
    const crawl = open.use(
      await openCrawl({
        ...{ dir, seeds: archive.site.start, delay: 0, freshFor: 1 },
        resolve: [`*=127.0.0.1:${server.port}`],
      }),
    )
    await crawl.run({ budget: crawl.opened.state.spent + fetches })
  }
}
