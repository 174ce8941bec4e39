import type { Command } from 'commander'
import { crawl } from '#crawl/crawl.ts'
import { costOf, type FetchOutcome } from '#crawl/outcome.ts'
import type { Clock } from '#crawl/ports.ts'
import { parseScope } from '#frontier/scope.ts'
import { policyNamed } from '#policy/policies.ts'
import { type CrawlSummary, describeEnd, summaryText } from './crawl-summary.ts'
import { DEFAULT_DIR, openCrawl } from './open-crawl.ts'
import { amount, several, wholeNumber } from './options.ts'
import { outputFor } from './output.ts'
import { policyOption } from './policy-option.ts'
import { Progress } from './progress.ts'
import { dropProgress, writeProgress } from './progress-file.ts'
import { readSeeds } from './seeds.ts'
import { stopOnSignals } from './signals.ts'
import { openWeb, type WebOptions } from './web.ts'

interface CrawlOptions extends WebOptions {
  budget: number
  policy: string
  dir: string
  seeds?: string
  scope?: string
  batch?: number
  perHost?: number
  perDomain?: number
  seed: number
  json?: boolean
}

export function addCrawlCommand(program: Command): void {
  policyOption(program.command('crawl'))
    .description('fetch pages, the most promising first, until the budget is spent')
    .argument(
      '[seeds...]',
      'URLs to begin with; not needed when the directory holds a crawl already',
    )
    .option(
      '--budget <n>',
      'fetches in all, earlier runs in the same directory included',
      wholeNumber(1),
      1000,
    )
    .option('--dir <dir>', 'where the crawl is kept', DEFAULT_DIR)
    .option('--seeds <file>', 'file with more seed URLs, one a line')
    .option(
      '--scope <scope>',
      'how far to stray from the seeds: host, domain or anywhere (default: anywhere)',
    )
    .option(
      '--batch <n>',
      'fetches between two plans (default: a tenth of those done, 50 to 2000)',
      wholeNumber(1),
    )
    .option(
      '--per-host <n>',
      'at most so many fetches of one host between two plans',
      wholeNumber(1),
    )
    .option(
      '--per-domain <n>',
      'at most so many fetches of one registrable domain between two plans',
      wholeNumber(1),
    )
    .option('--delay <seconds>', 'pause between two requests to one host', amount, 1)
    .option('--concurrency <n>', 'hosts that are fetched from at the same time', wholeNumber(1), 64)
    .option(
      '--resolve <rule>',
      "reach a host at another address, as in '*=127.0.0.1:8080'; may be repeated",
      several,
    )
    .option('--archive <dir>', 'crawl a recorded web instead of the live one')
    .option('--at <snapshot>', 'with --archive: which snapshot (default: the last)', wholeNumber(0))
    .option('--user-agent <text>', 'how to introduce ourselves to servers')
    .option('--seed <n>', 'for policies that draw lots', wholeNumber(0), 1)
    .option('--json', 'print the summary as JSON')
    .addHelpText(
      'after',
      `
Examples:
  forager crawl https://example.org/ --budget 500 --scope domain
  forager crawl --budget 2000                          # go on where the last run stopped
  forager crawl --archive modelweb --policy pagerank   # a recorded web, no network
  forager crawl http://a.example/ --resolve '*=127.0.0.1:8080' --delay 0`,
    )
    .action(runCrawl)
}

/** Crawls until the end, then tells what came of it. Exit code 1 when nothing at all could be had. */
export async function runCrawl(args: string[], options: CrawlOptions): Promise<void> {
  const output = outputFor(options)
  const { dir, budget } = options
  const policy = policyNamed(options.policy)
  const scope = options.scope === undefined ? undefined : parseScope(options.scope)
  const given = readSeeds(args, options.seeds)
  const web = await openWeb(options)
  const seeds = given.length > 0 ? given : web.seeds
  const clock: Clock = web.clock
  const { store, state, inScope, recovered } = await openCrawl(dir, {
    seeds,
    scope,
    now: clock.now(),
  })
  if (recovered > 0) output.note(`took up ${recovered} fetches of a run that was cut off`)
  const stop = stopOnSignals(() =>
    output.note('stopping: waiting for what is under way (again to quit at once)'),
  )
  const startedAt = performance.now()
  const startedWith = state.spent
  const tally = new Map<string, number>()
  const failures: string[] = []
  const progress = new Progress('crawl', 'fetches', budget, startedWith, !output.json)
  const seconds = () => (performance.now() - startedAt) / 1000

  const onOutcome = (outcome: FetchOutcome) => {
    tally.set(outcome.kind, (tally.get(outcome.kind) ?? 0) + 1)
    if (outcome.kind === 'failed' && failures.length < 3)
      failures.push(`${outcome.url}: ${outcome.reason}`)
    if (costOf(outcome) > 0)
      progress.update(state.spent, `${state.frontier.size.toLocaleString('en')} URLs known`)
  }
  const tellOthers = () =>
    writeProgress(dir, {
      pid: process.pid,
      at: Date.now() / 1000,
      policy: options.policy,
      budget,
      spent: state.spent,
      known: state.frontier.size,
      fetchesPerSecond: (state.spent - startedWith) / seconds(),
    })
  const heart = setInterval(tellOthers, 1_000)
  try {
    const rules = {
      policy,
      inScope,
      perHost: options.perHost,
      perDomain: options.perDomain,
      seed: options.seed,
    }
    const ports = { fetcher: web.fetcher, repository: store, clock }
    const end = await crawl(state, rules, ports, { budget, batch: options.batch }, stop.signal, {
      outcome: onOutcome,
    })
    progress.clear()
    const summary: CrawlSummary = {
      end,
      policy: options.policy,
      dir,
      budget,
      spent: state.spent,
      fetchedNow: state.spent - startedWith,
      outcomes: Object.fromEntries(tally),
      known: state.frontier.size,
      waiting: state.frontier.unfetched(Number.POSITIVE_INFINITY).length,
      seconds: seconds(),
      failures,
    }
    output.result(summary, () => summaryText(summary))
    describeEnd(summary, output)
  } finally {
    clearInterval(heart)
    stop.forget()
    dropProgress(dir)
    await web.fetcher.close()
    store.close()
  }
}
