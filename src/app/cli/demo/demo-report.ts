import { barChart } from '#lab/report/bar-chart.ts'
import { reportPage } from '#lab/report/report-page.ts'
import { version } from '#library/settings/version.ts'
import { presentWeeks } from '../../experiments/weeks/weeks-report.ts'
import { commit } from '../lab/commit.ts'
import type { ImpactRow } from './demo-impact.ts'
import { BUDGET_SHARE, type DemoWeeks, START_SHARE } from './demo-weeks.ts'

/** The demo as a page with pictures. */
export function demoReport(
  rows: readonly ImpactRow[],
  weeks: readonly DemoWeeks[],
  seed: number,
): string {
  const archive = `model web, seed ${seed}`
  const { charts, tables, intro } = presentWeeks(
    weeks.map((one) => ({ ...one, archive, maxNdcg: null })),
    {
      ...{ seed, queries: 'log', sitemaps: 'honest' },
      ...{ budget: 100 * BUDGET_SHARE, start: 100 * START_SHARE },
    },
  )
  const impact = barChart(
    rows.map(({ policy, quality }) => ({ name: policy, parts: [quality] })),
    {
      title: 'New pages of a web that stands still: answer quality',
      yLabel: 'quality',
      partNames: ['quality'],
    },
  )
  const [quality, ...others] = charts
  return reportPage({
    title: 'Forager: the demo',
    intro,
    charts: [quality, impact, ...others],
    tables: [
      ...tables,
      {
        caption: 'new pages of a web that stands still',
        header: ['policy', 'fetches', 'pages held', 'quality', 'maxNDCG@10'],
        rows: rows.map((row) => [row.policy, row.fetches, row.pages, row.quality, row.maxNdcg]),
      },
    ],
    provenance: {
      command: ['forager', ...process.argv.slice(2)].join(' '),
      ...{ seed, version, commit: commit(), archives: [archive] },
    },
  })
}
