import type { Command } from 'commander'
import { lookAtCrawl } from '#library/crawl.ts'
import { readSeeds } from '#library/open/seeds.ts'
import { addPlanSize, type PlanSize, planSizeOf } from '../settings/plan-size.ts'
import { addSettings, optionsOf, type ReadSettings, settingsOf } from '../settings/setting-flags.ts'
import { outputFor } from '../terminal/output.ts'
import { noteTo } from '../words/note-text.ts'
import { explainText } from './explain-text.ts'
import { toldHold } from './hold-text.ts'

interface ExplainOptions extends PlanSize {
  json?: boolean
}

/** The flags of `forager explain`, and what it does. */
export function defineExplain(command: Command): void {
  addSettings(addPlanSize(command, 'how many fetches a plan has'), [
    'policy',
    'policyFile',
    'needyShare',
    'topK',
    'matchShare',
    'longestNgram',
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

async function runExplain(url: string, read: ReadSettings, options: ExplainOptions): Promise<void> {
  const output = outputFor(options)
  readSeeds([url]) // a mistake there is told before anything is opened
  const note = noteTo(output, read.settings.dir)
  await using crawl = await lookAtCrawl(optionsOf(read), { note, withIndex: true })
  const report = await crawl.explain(url, planSizeOf(options, output))
  const told = { ...report, heldBackBy: report.heldBackBy.map(toldHold) }
  output.result(told, () => explainText(report, report.at))
  if (!report.known) process.exitCode = 1
}
