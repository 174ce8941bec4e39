import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Command } from 'commander'
import { AnswerTruth } from '#lab/answer-truth.ts'
import { corpusJudge } from '#lab/corpus-judge.ts'
import { generateModelWeb } from '#lab/model-web/generate.ts'
import { splitQueries } from '#lab/query-split.ts'
import { RecordedWeb } from '#lab/recorded-web.ts'
import { seededRandom } from '#numeric/random.ts'
import { readArchive } from '#repository/archive/read-archive.ts'
import { readWorkload } from '#repository/archive/read-workload.ts'
import { writeArchive } from '#repository/archive/write-archive.ts'
import { crawlServed } from '../served-crawl.ts'
import { startReplayServer } from '../server/replay-server.ts'
import { wholeNumber } from './options.ts'
import { duration, type Output, outputFor, table } from './output.ts'
import { Progress } from './progress.ts'

interface DemoOptions {
  pages: number
  seed: number
  json?: boolean
}

interface DemoRow {
  readonly policy: string
  readonly fetches: number
  readonly pages: number
  /** Of the answers to searches that were not in the log, against a crawl of everything. */
  readonly quality: number
  readonly maxNdcg: number
  readonly seconds: number
}

/** Weeks of history in the demo's web; the crawls see the last. */
const WEEKS = 4
/** A budget that forces a choice: this share of the web's pages. */
const BUDGET_SHARE = 0.1
/** What everybody does, what the best of the others do, and what Forager does. */
const POLICIES = ['bfs', 'pagerank', 'impact']

export function addDemoCommand(program: Command): void {
  program
    .command('demo')
    .description(
      'make a web, serve it, crawl it over HTTP by three policies, and see what searchers get',
    )
    .option('--pages <n>', 'size of the model web', wholeNumber(500), 5000)
    .option('--seed <n>', 'another seed, another web', wholeNumber(0), 7)
    .option('--json', 'print the table as JSON')
    .addHelpText(
      'after',
      `
Example:
  forager demo --pages 2000`,
    )
    .action(runDemo)
}

async function runDemo(options: DemoOptions): Promise<void> {
  const output = outputFor(options)
  const folder = mkdtempSync(join(tmpdir(), 'forager-demo-'))
  try {
    const rows = await demonstrate(folder, options, output)
    output.result({ pages: options.pages, seed: options.seed, rows }, () => resultText(rows))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function demonstrate(
  folder: string,
  { pages, seed }: DemoOptions,
  output: Output,
): Promise<DemoRow[]> {
  const archiveDir = join(folder, 'modelweb')
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
    const rows: DemoRow[] = []
    for (const policy of POLICIES) {
      const progress = new Progress(`   ${policy}`, 'fetches', budget, 0, !output.json)
      const { held, fetches, seconds } = await crawlServed({
        dir: join(folder, policy),
        policy,
        budget,
        port: server.port,
        seeds: archive.site.start,
        log,
        onFetch: (spent) => progress.update(spent),
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

function resultText(rows: readonly DemoRow[]): string {
  const [plain, links, best] = rows
  const more = (a: number, b: number) => `${Math.round(100 * (a / b - 1))} %`
  return [
    '',
    table(
      ['policy', 'fetches', 'pages held', 'answer quality', '', 'maxNDCG@10'],
      rows.map((row) => [
        row.policy,
        row.fetches,
        row.pages,
        row.quality,
        '█'.repeat(Math.round(40 * row.quality)),
        row.maxNdcg,
      ]),
    ),
    '',
    'Answer quality: what searchers see of the scores that a crawl of everything would show them (1 is all),',
    'for another log of the same searchers. maxNDCG: what the best ranking could make of the pages held.',
    '',
    `With the same budget, answers are ${more(best.quality, plain.quality)} better than breadth-first's, and ${more(best.quality, links.quality)} better than PageRank's.`,
    '',
    'Try next:',
    '  npx forager lab generate --seed 7 --pages 20000 --out modelweb     a larger web of your own',
    '  npx forager lab run live --archive modelweb --report live.html     more policies, with a picture',
    '  npx forager crawl https://example.org/ --scope domain --contact you@example.org   a real crawl',
    '  npx forager queries import queries.csv --format csv                what its searchers ask',
    '  npx forager --help',
  ].join('\n')
}
