import type { Command } from 'commander'
import { openExistingCrawl } from '#library/open/open-crawl.ts'
import { readPolicyFiles } from '#library/open/policy-file.ts'
import { readSeeds } from '#library/open/seeds.ts'
import { wholeNumber } from '../settings/options.ts'
import { addSettings, type ReadSettings, settingsOf } from '../settings/setting-flags.ts'
import { outputFor } from '../terminal/output.ts'
import { noteArchiveTime } from '../words/archive-time.ts'
import { policyInForce } from '../words/policy-in-force.ts'
import { explainUrl } from './explain-report.ts'
import { explainText } from './explain-text.ts'

interface ExplainOptions {
  /** How many fetches to plan, as for `forager plan`. */
  budget: number
  json?: boolean
}

/** The flags of `forager explain`, and what it does. */
export function defineExplain(command: Command): void {
  addSettings(command, [
    'policy',
    'policyFile',
    'needyShare',
    'dir',
    'perHost',
    'perDomain',
    'maxPagesPerHost',
    'maxPagesPerDomain',
    'refreshAfter',
    'freshFor',
    'randomShare',
    'userAgent',
    'seed',
  ])
    .option('--budget <n>', 'how many fetches a plan has', wholeNumber(1), 20)
    .option('--json', 'print all of it as JSON')
    .addHelpText(
      'after',
      `
Nothing is fetched. A URL not fetched yet: its bid, the queries that want it, by which words and links, its
rivals, and what holds it back. A copy: what came of it, the queries it answers, and what fetching it again
is worth: how likely it changed, since when, and which links it may show. Exit code 1 when the crawl does
not know the URL.

Examples:
  forager explain https://example.org/trails
  forager explain https://example.org/trails --policy impact    # as a new page alone
  forager explain https://example.org/ --policy split:70/20/10 --dir mycrawl --json`,
    )
    .action((url: string, options: ExplainOptions, command: Command) =>
      runExplain(url, settingsOf(command), options),
    )
}

async function runExplain(
  asked: string,
  read: ReadSettings,
  options: ExplainOptions,
): Promise<void> {
  const [url] = readSeeds([asked])
  const output = outputFor(options)
  const bidders = await readPolicyFiles(read.settings.policyFile, output.note)
  const opened = await openExistingCrawl(read.settings.dir, Date.now() / 1000, true)
  const { now } = opened
  try {
    noteArchiveTime(opened, output)
    const settings = { ...read.settings, policy: policyInForce(read, opened, output, bidders) }
    const report = await explainUrl(url, opened, settings, options.budget, now, bidders.registry)
    output.result(report, () => explainText(report, now))
    if (!report.known) process.exitCode = 1
  } finally {
    opened.store.close()
  }
}
