import { rmSync } from 'node:fs'
import type { Command } from 'commander'
import { folderUntilExit } from '#library/open/folder-until-exit.ts'
import { wholeNumber } from '../settings/options.ts'
import { outputFor, table } from '../terminal/output.ts'
import { mustBeWritable, writeResult } from '../terminal/write-result.ts'
import { demonstrateImpact, type ImpactRow } from './demo-impact.ts'
import { demoReport } from './demo-report.ts'
import { serveDemoRoom } from './demo-room.ts'
import { demonstrateWeeks } from './demo-weeks.ts'
import { weeksText } from './demo-weeks-text.ts'

interface DemoOptions {
  pages: number
  seed: number
  report: string
  json?: boolean
  serve?: boolean
  port: number
}

/** The flags of `forager demo`, and what it does. */
export function defineDemo(command: Command): void {
  command
    .option('--pages <n>', 'size of the model web', wholeNumber(500), 5000)
    .option('--seed <n>', 'another seed, another web', wholeNumber(0), 7)
    .option('--report <file>', 'where the report with pictures goes', 'forager-demo.html')
    .option('--serve', 'then serve the control room and the search page of a crawl of that web')
    .option(
      '--port <n>',
      'with --serve: port to listen on; 0 takes a free one',
      wholeNumber(0, 65_535),
      8080,
    )
    .option('--json', 'print the tables as JSON')
    .addHelpText(
      'after',
      `
Example:
  forager demo --pages 2000 --report /tmp/demo.html
  forager demo --serve                       # ends by serving http://127.0.0.1:8080/control`,
    )
    .action(runDemo)
}

async function runDemo(options: DemoOptions): Promise<void> {
  const { pages, seed, report } = options
  const output = outputFor(options)
  mustBeWritable('--report', report)
  const folder = folderUntilExit('forager-demo-')
  try {
    const rows = await demonstrateImpact(folder, options, output)
    const weeks = await demonstrateWeeks(options, output)
    writeResult('--report', report, demoReport(rows, weeks, seed))
    output.result({ pages, seed, rows, weeks, report }, () =>
      [impactText(rows), weeksText(weeks), nextText(options)].join('\n'),
    )
    if (options.serve) await serveDemoRoom(folder, options, output)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function impactText(rows: readonly ImpactRow[]): string {
  const [plain, links, best] = rows
  const more = (a: number, b: number) => `${Math.round(100 * (a / b - 1))} %`
  return [
    '',
    'New pages: one crawl of a web that stands still',
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
  ].join('\n')
}

function nextText({ report, serve }: Pick<DemoOptions, 'report' | 'serve'>): string {
  return [
    '',
    `Pictures: ${report}`,
    '',
    'Try next:',
    ...(serve
      ? []
      : [
          '  npx forager demo --serve                                           the control room of such a crawl',
        ]),
    '  npx forager lab generate --pages 2000 --weeks 12 --out modelweb    a web of your own, with queries',
    '  npx forager lab run weeks --archive modelweb --report weeks.html   such weeks of it, policy by policy',
    '  npx forager crawl https://example.org/ --scope domain --contact you@example.org   a real crawl',
    '  npx forager queries import queries.csv --format csv                what its searchers ask',
    '  npx forager --help',
  ].join('\n')
}
