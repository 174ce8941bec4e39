import { lineChart, type Series } from '#lab/report/line-chart.ts'
import type { ReportTable } from '#lab/report/report-page.ts'
import type { Findings } from '../running/experiment.ts'
import { bestTaus, type RefreshFound, type SiteEquality, type SiteRow } from './refresh-sites.ts'
import { equalQualityTable, ratioTables, shortfallTable, trustChart } from './refresh-summary.ts'

const INTRO = `Pages live at all snapshots; all copies are current at the first, and so many are fetched
again every week. Quality is what searchers get from the copies, of what current copies would give them (mean
of just before and just after the weekly fetches). The shortfall is what is missing from quality 1, of what is missing
without any refreshing. Estimates "whole" come from the period that is judged, as in the paper; "split" from the half
before it; "online" from the policy's own fetches alone. "synthetic" queries were derived from titles and anchors of
the first snapshot. For sbr and ebr the best threshold of each budget is shown, chosen in hindsight.`

/** Everything that all steps found, as JSON, figures and tables. */
export function presentRefresh(
  found: readonly RefreshFound[],
  archives: readonly string[],
  seed: number,
): Findings {
  const rows: SiteRow[] = found.flatMap(({ archive, workload, rows }) =>
    rows.map((row) => ({ archive, workload, ...row })),
  )
  const equalities: SiteEquality[] = found.flatMap(({ archive, workload, equalQuality }) =>
    equalQuality.map((row) => ({ archive, workload, ...row })),
  )
  const tables: ReportTable[] = [
    ...ratioTables(rows, seed),
    ...equalQualityTable(equalities),
    ...shortfallTable(rows),
  ]
  return {
    result: {
      experiment: 'refresh',
      archive: archives.length > 1 ? archives : archives[0],
      seed,
      keys: ['archive', 'workload', 'scoring', 'estimates', 'lastmod', 'policy', 'tau', 'percent'],
      sites: siteFacts(found),
      rows,
      equalQuality: equalities,
      trust: found.flatMap(({ archive, workload, trust }) =>
        trust.map((row) => ({ archive, workload, ...row })),
      ),
    },
    title: 'Refresh: how good the answers stay',
    intro: INTRO,
    charts: [...figures(rows), ...trustChart(found)],
    tables,
    archives,
  }
}

function siteFacts(found: readonly RefreshFound[]) {
  const sites = new Map(
    found.map(({ archive, workload, queries, pages, weeks }) => [
      `${archive} ${workload}`,
      { archive, workload, queries, pages, weeks },
    ]),
  )
  return [...sites.values()]
}

/** Quality against fetches a week, a picture for each site, scoring and protocol: the paper's Figure 4. */
function figures(rows: readonly SiteRow[]): string[] {
  const groups = Map.groupBy(
    bestTaus(rows),
    ({ archive, workload, scoring, estimates }) =>
      `${archive} (${workload}), ${scoring}, estimates: ${estimates}`,
  )
  return Array.from(groups, ([title, own]) =>
    lineChart(seriesOf(own), {
      title,
      xLabel: 'fetches a week (logarithmic)',
      yLabel: 'shortfall of quality',
      logX: true,
    }),
  )
}

function seriesOf(rows: readonly SiteRow[]): Series[] {
  const named = Map.groupBy(rows, ({ policy, lastmod }) =>
    lastmod === 'none' ? policy : `${policy}, lastmod ${lastmod}`,
  )
  return Array.from(named, ([name, own]) => ({
    name,
    points: own
      .map(({ budget, shortfall }) => [budget, shortfall] as const)
      .sort(([a], [b]) => a - b),
  }))
}
