import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Command } from 'commander'
import { crawl } from '#crawl/crawl.ts'
import { canonicalWorkload } from '#lab/canonical-workload.ts'
import { maxNdcg } from '#lab/metrics/max-ndcg.ts'
import { generateModelWeb } from '#lab/model-web/generate.ts'
import { policyNamed } from '#policy/policies.ts'
import { readArchive } from '#repository/archive/read-archive.ts'
import { readWorkload } from '#repository/archive/read-workload.ts'
import { writeArchive } from '#repository/archive/write-archive.ts'
import { startReplayServer } from '../server/replay-server.ts'
import { openCrawl } from './open-crawl.ts'
import { wholeNumber } from './options.ts'
import { duration, type Output, outputFor, table } from './output.ts'
import { Progress } from './progress.ts'
import { DEFAULT_POLICY, DEFAULTS } from './settings.ts'
import { openLiveWeb } from './web.ts'

interface DemoOptions {
  pages: number
  seed: number
  json?: boolean
}

interface DemoRow {
  readonly policy: string
  readonly fetches: number
  readonly pages: number
  readonly maxNdcg: number
  readonly seconds: number
}

/** Weeks of history in the demo's web; the crawls see the last. */
const WEEKS = 4
/** A budget that forces a choice: this share of the web's pages. */
const BUDGET_SHARE = 0.1

export function addDemoCommand(program: Command): void {
  program
    .command('demo')
    .description(
      'make a web, serve it, crawl it over HTTP by two policies, and see what searchers get',
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
  const { judgments } = canonicalWorkload(await readWorkload(archiveDir))
  const server = await startReplayServer({
    archive,
    port: 0,
    from: archive.snapshotCount - 1,
    speed: 0,
  })
  output.note(`2. … served over HTTP at 127.0.0.1:${server.port}, for all its hosts.`)
  output.note(`3. Two crawls with the same budget of ${budget.toLocaleString('en')} fetches:`)
  try {
    const rows: DemoRow[] = []
    for (const policy of ['bfs', DEFAULT_POLICY]) {
      const crawled = await crawlServed({
        dir: join(folder, policy),
        policy,
        budget,
        port: server.port,
        seeds: archive.site.start,
        output,
      })
      const { mean } = maxNdcg(judgments, (url) => crawled.held.has(url))
      rows.push({
        policy,
        fetches: crawled.fetches,
        pages: crawled.held.size,
        maxNdcg: mean ?? 0,
        seconds: crawled.seconds,
      })
    }
    return rows
  } finally {
    await server.close()
  }
}

async function crawlServed(setup: {
  dir: string
  policy: string
  budget: number
  port: number
  seeds: readonly string[]
  output: Output
}) {
  const { dir, policy, budget, port, output } = setup
  const web = openLiveWeb({ ...DEFAULTS, delay: 0, resolve: [`*=127.0.0.1:${port}`] })
  const fetcher = web.fetcher({})
  const { store, state, scope } = await openCrawl(dir, {
    seeds: setup.seeds,
    now: web.clock.now(),
  })
  const startedAt = performance.now()
  const progress = new Progress(`   ${policy}`, 'fetches', budget, 0, !output.json)
  const held = new Set<string>()
  try {
    const rules = { policy: policyNamed(policy), scope, seed: 1 }
    const ports = { fetcher, repository: store, clock: web.clock }
    await crawl(state, rules, ports, { budget }, new AbortController().signal, {
      outcome: (outcome) => {
        if (outcome.kind === 'page') held.add(outcome.url)
        progress.update(state.spent)
      },
    })
  } finally {
    progress.clear()
    await fetcher.close()
    store.close()
  }
  const seconds = (performance.now() - startedAt) / 1000
  output.note(`   ${policy}: ${state.spent.toLocaleString('en')} fetches in ${duration(seconds)}`)
  return { held, fetches: state.spent, seconds }
}

function resultText(rows: readonly DemoRow[]): string {
  const [plain, best] = rows
  const more = Math.round(100 * (best.maxNdcg / plain.maxNdcg - 1))
  return [
    '',
    table(
      ['policy', 'fetches', 'pages held', 'search quality (maxNDCG@10)'],
      rows.map((row) => [row.policy, row.fetches, row.pages, row.maxNdcg]),
    ),
    '',
    `With the same budget, ${best.policy} could serve searchers ${Math.abs(more)} % ${more >= 0 ? 'better' : 'worse'} than breadth-first.`,
    '',
    'Try next:',
    '  npx forager lab generate --seed 7 --pages 20000 --out modelweb     a larger web of your own',
    '  npx forager lab run selection --archive modelweb --report r.html   all policies, with a picture',
    '  npx forager crawl https://example.org/ --scope domain --contact you@example.org   a real crawl',
    '  npx forager --help',
  ].join('\n')
}
