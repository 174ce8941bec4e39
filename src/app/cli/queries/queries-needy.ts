import type { Command } from 'commander'
import { type NeedyReport, needyQueries } from '#library/queries/needy-queries.ts'
import { wholeNumber } from '../settings/options.ts'
import { addSettings, settingsOf } from '../settings/setting-flags.ts'
import { outputFor, table } from '../terminal/output.ts'
import { cutToWidth } from '../terminal/terminal-width.ts'

/** Said wherever the queries were not asked by anybody. */
export const SYNTHETIC_NOTE =
  'synthetic workload: no query log was imported, so these queries were made from titles and anchors'

/** Columns of a query or title in the table. */
const MAX_SHOWN = 44

export function addQueriesNeedy(queries: Command): void {
  addSettings(queries.command('needy'), ['dir'])
    .description('show which queries the crawl cannot serve yet, and what it is doing about it')
    .option('--limit <n>', 'how many to show', wholeNumber(1), 20)
    .option('--json', 'print them as JSON')
    .addHelpText('after', '\nExample:\n  forager queries needy --dir mycrawl')
    .action(async (options: { limit: number; json?: boolean }, command: Command) => {
      const report = await needyQueries(settingsOf(command).settings.dir, options.limit)
      const output = outputFor(options)
      if (report.synthetic) output.note(SYNTHETIC_NOTE)
      output.result(report, () => needyText(report))
    })
}

function needyText({ queries, improvability, pages }: NeedyReport): string {
  const learnt =
    improvability.form === 'prior'
      ? 'a guess until a few cycles were seen'
      : `learnt from ${improvability.observations.toLocaleString('en')} queries of past cycles`
  const rows = queries.map((row) => [
    cutToWidth(row.query, MAX_SHOWN),
    row.weight,
    row.best ? cutToWidth(row.best.title || row.best.url, MAX_SHOWN) : '(none)',
    row.best?.score ?? 0,
    row.averageScore,
    row.improvability,
    row.waiting,
  ])
  return [
    table(
      ['query', 'weight', 'best answer', 'score', 'top-10 average', 'improvability', 'waiting'],
      rows,
    ),
    '',
    `${pages.toLocaleString('en')} pages searched. Improvability: new top-10 results to expect of a cycle (${learnt}).`,
    'Waiting: known pages not fetched yet whose URL and anchors hold all words of the query.',
  ].join('\n')
}
