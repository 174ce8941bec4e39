import type { Command } from 'commander'
import { explainInBuckets } from '#library/buckets/look.ts'
import { lookAtCrawl } from '#library/crawl.ts'
import { workerWith } from '#library/fleet/read-fleet-status.ts'
import { readSeeds } from '#library/open/seeds.ts'
import { BucketsFolder } from '#repository/buckets/buckets-folder.ts'
import { addPlanFlags, type PlanSize, planSizeOf } from '../settings/plan-flags.ts'
import { optionsOf, type ReadSettings, settingsOf } from '../settings/setting-flags.ts'
import { outputFor } from '../terminal/output.ts'
import { noteTo } from '../words/note-text.ts'
import { inBucketText } from './bucket-text.ts'
import { explainText } from './explain-text.ts'
import { toldHold } from './hold-text.ts'

interface ExplainOptions extends PlanSize {
  json?: boolean
}

/** The flags of `forager explain`, and what it does. */
export function defineExplain(command: Command): void {
  addPlanFlags(command, 'how many fetches a plan has', [
    'topK',
    'matchShare',
    'longestNgram',
    'userAgent',
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
  const [canonical] = readSeeds([url]) // a mistake there is told before anything is opened
  const { dir } = read.settings
  if (BucketsFolder.isAt(dir)) {
    const found = await explainInBuckets(dir, canonical)
    output.result(found, () => inBucketText(found))
    if (!found.known) process.exitCode = 1
    return
  }
  const note = noteTo(output, read.settings.dir)
  await using crawl = await lookAtCrawl(optionsOf(read), { note, withIndex: true })
  const report = await crawl.explain(url, planSizeOf(options, output))
  const leasedTo = workerWith(read.settings.dir, report.url)
  const told = {
    ...{ ...report, heldBackBy: report.heldBackBy.map(toldHold) },
    ...(leasedTo !== undefined && { leasedTo }),
  }
  const leased = leasedTo === undefined ? '' : `\nits domain is leased to worker ${leasedTo}`
  output.result(told, () => explainText(report, report.at) + leased)
  if (!report.known) process.exitCode = 1
}
