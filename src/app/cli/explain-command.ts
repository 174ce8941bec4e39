import type { Command } from 'commander'
import { readConfig } from './config-file.ts'
import { explainUrl } from './explain-report.ts'
import { explainText } from './explain-text.ts'
import { type OpenCrawl, openExistingCrawl } from './open-crawl.ts'
import { wholeNumber } from './options.ts'
import { outputFor } from './output.ts'
import { readSeeds } from './seeds.ts'
import { addSettings, settingsOf } from './setting-flags.ts'
import type { Settings } from './settings.ts'

interface ExplainOptions {
  /** How many fetches to plan, as for `forager plan`. */
  budget: number
  json?: boolean
}

export function addExplainCommand(program: Command): void {
  addSettings(program.command('explain'), [
    'policy',
    'needyShare',
    'dir',
    'perHost',
    'perDomain',
    'maxPagesPerHost',
    'maxPagesPerDomain',
    'refreshAfter',
    'userAgent',
    'seed',
  ])
    .description('show what a crawl knows of one URL, who wants it and what holds it back')
    .argument('<url>', 'the URL')
    .option('--budget <n>', 'how many fetches a plan has', wholeNumber(1), 20)
    .option('--json', 'print all of it as JSON')
    .addHelpText(
      'after',
      `
Nothing is fetched. A URL not fetched yet: its bid, the queries that want it, by which words and links, its
rivals, and what holds it back. One that was: what came of it, and the queries it answers. Without
--policy it goes by impact if queries were imported. Exit code 1 when the crawl does not know the URL.

Examples:
  forager explain https://example.org/trails
  forager explain https://example.org/trails --policy pagerank --dir mycrawl --json`,
    )
    .action((url: string, options: ExplainOptions, command: Command) =>
      runExplain(url, settingsOf(command).settings, options, namesPolicy(command)),
    )
}

/** Whether the user chose a policy, by flag or config file. */
function namesPolicy(command: Command): boolean {
  const config = readConfig(command.opts().config)
  return command.getOptionValueSource('policy') === 'cli' || config.settings.policy !== undefined
}

async function runExplain(
  asked: string,
  given: Settings,
  options: ExplainOptions,
  hasPolicy: boolean,
): Promise<void> {
  const [url] = readSeeds([asked])
  const now = Date.now() / 1000
  const opened = await openExistingCrawl(given.dir, now, true)
  try {
    const policy = hasPolicy ? given.policy : await policyFor(opened, given.policy, now)
    const report = await explainUrl(url, opened, { ...given, policy }, options.budget, now)
    outputFor(options).result(report, () => explainText(report, now))
    if (!report.known) process.exitCode = 1
  } finally {
    opened.store.close()
  }
}

/** By what searchers ask, if that is known. */
async function policyFor(
  { state, store }: OpenCrawl,
  otherwise: string,
  now: number,
): Promise<string> {
  return state.indexer && (await store.queries(now)).length > 0 ? 'impact' : otherwise
}
