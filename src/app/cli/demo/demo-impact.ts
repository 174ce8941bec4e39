import { join } from 'node:path'
import { readArchive } from '#archive/format/read-archive.ts'
import { readWorkload } from '#archive/format/read-workload.ts'
import { writeArchive } from '#archive/format/write-archive.ts'
import { RecordedWeb } from '#archive/recorded-web.ts'
import { AnswerTruth } from '#lab/judging/answer-truth.ts'
import { corpusJudge } from '#lab/judging/corpus-judge.ts'
import { splitQueries } from '#lab/judging/query-split.ts'
import { generateModelWeb } from '#lab/model-web/generate.ts'
import { openCrawl } from '#library/crawl.ts'
import { importQueryList } from '#library/queries/import-log.ts'
import type { CrawlOptions } from '#library/settings/crawl-options.ts'
import { seededRandom } from '#numeric/random.ts'
import { startReplayServer } from '../../server/replay-server.ts'
import { duration, type Output } from '../terminal/output.ts'
import { Progress } from '../terminal/progress.ts'

/** One crawl of new pages. */
export interface ImpactRow {
  readonly policy: string
  readonly fetches: number
  readonly pages: number
  /** Of the answers to searches that were not in the log, against a crawl of everything. */
  readonly quality: number
  readonly maxNdcg: number
  readonly seconds: number
}

/** Where the web lies in the demo's folder. */
export const MODEL_WEB = 'modelweb'
/** Weeks of history in this web; the crawls see the last. */
const WEEKS = 4
/** A budget that forces a choice: this share of the web's pages. */
const BUDGET_SHARE = 0.1
/** What everybody does, what the best of the others do, and what Forager does. */
const POLICIES = ['bfs', 'pagerank', 'impact']

/** Crawls a web once by each policy, new pages only, and says what searchers get of it. */
export async function demonstrateImpact(
  folder: string,
  { pages, seed }: { readonly pages: number; readonly seed: number },
  output: Output,
): Promise<ImpactRow[]> {
  const archiveDir = join(folder, MODEL_WEB)
  const budget = Math.round(pages * BUDGET_SHARE)
  output.note(
    `1. A model web of ${pages.toLocaleString('en')} pages with queries and judged answers (seed ${seed}) …`,
  )
  await writeArchive(archiveDir, generateModelWeb({ seed, pages, weeks: WEEKS }))
  const archive = await readArchive(archiveDir)
  const workload = await readWorkload(archiveDir)
  const from = archive.snapshotCount - 1
  const truth = new AnswerTruth(new RecordedWeb(archive, from), workload.queries)
  const { training: log, testWeights } = splitQueries(workload.queries, 'log', seededRandom(seed))
  const judge = corpusJudge(workload, (url) => truth.pageAt(url), seed)
  const server = await startReplayServer({ archive, port: 0, from, speed: 0 })
  output.note(`2. … served over HTTP at 127.0.0.1:${server.port}, for all its hosts.`)
  output.note(
    `3. Crawls with the same budget of ${budget.toLocaleString('en')} fetches; impact also reads a log of ${log.length.toLocaleString('en')} queries:`,
  )
  try {
    const rows: ImpactRow[] = []
    for (const policy of POLICIES) {
      const progress = new Progress(`   ${policy}`, 'fetches', budget, !output.json)
      const dir = join(folder, policy)
      await importQueryList(dir, log)
      const seeds = archive.site.start
      const { held, fetches, seconds } = await crawlServed(server.port, budget, progress, {
        ...{ dir, policy, seeds },
      })
      progress.clear()
      output.note(
        `   ${policy}: ${fetches.toLocaleString('en')} fetches in ${duration(seconds)}, planning and indexing included`,
      )
      const isHeld = new Uint8Array(truth.pageCount)
      for (const url of held) isHeld[truth.pageAt(url) ?? truth.pageCount] = 1
      rows.push({
        policy,
        fetches,
        pages: held.size,
        quality: truth.quality(testWeights, isHeld) ?? 0,
        maxNdcg: judge.maxNdcgOf((page) => isHeld[page] === 1) ?? 0,
        seconds,
      })
    }
    return rows
  } finally {
    await server.close()
  }
}

/** Crawls a web that is served on this machine, as a user would: over HTTP. */
async function crawlServed(
  port: number,
  budget: number,
  progress: Progress,
  options: CrawlOptions,
) {
  const resolve = [`*=127.0.0.1:${port}`]
  await using crawl = await openCrawl({ ...options, resolve, delay: 0, warc: false })
  /** URLs that gave a page. */
  const held = new Set<string>()
  const { fetchedNow, seconds } = await crawl.run({
    budget,
    on: {
      outcome: (outcome) => {
        if (outcome.kind === 'page') held.add(outcome.url)
        progress.update(crawl.opened.state.spent)
      },
    },
  })
  return { held, fetches: fetchedNow, seconds }
}
