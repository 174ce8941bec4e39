import { policyMeans } from '#lab/metrics/policy-means.ts'
import { barChart } from '#lab/report/bar-chart.ts'
import { reportPage } from '#lab/report/report-page.ts'
import { showViews } from '#lab/report/show-views.ts'
import { MEASURES, weekRow, weeksRun } from '#lab/weeks/weeks-run.ts'
import { version } from '#library/settings/version.ts'
import { WEEKS_INTRO, weeksViews } from '../../experiments/weeks/weeks-views.ts'
import { commit } from '../lab/commit.ts'
import type { ImpactRow } from './demo-impact.ts'
import type { DemoWeeks } from './demo-weeks.ts'

/** The demo as a page with pictures. */
export function demoReport(
  rows: readonly ImpactRow[],
  weeks: readonly DemoWeeks[],
  seed: number,
): string {
  const archive = `model web, seed ${seed}`
  const runs = weeks.map(({ policy, weeks }) => ({ archive, policy, ...weeksRun(weeks, null) }))
  const { charts, tables } = showViews(weeksViews, {
    rows: weeks.flatMap(({ policy, weeks }) =>
      weeks.map((week) => ({ archive, policy, ...weekRow(week) })),
    ),
    runs,
    ...policyMeans(runs, MEASURES, seed),
  })
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
    intro: WEEKS_INTRO,
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
