import { meanInterval } from '#lab/metrics/bootstrap.ts'
import { lineChart } from '#lab/report/line-chart.ts'
import type { ReportTable } from '#lab/report/report-page.ts'
import {
  bestTaus,
  PROTOCOL_ORDER,
  policyName,
  type RefreshFound,
  type SiteEquality,
  type SiteRow,
} from './refresh-sites.ts'

/** Whom our policies are compared with, by protocol. */
const RIVALS = {
  whole: {
    ours: ['uc', 'uc-weekly', 'uc-terms'],
    rivals: ['uniform', 'sbr', 'ebr', 'clairvoyant'],
  },
  split: {
    ours: ['uc', 'uc-weekly', 'uc-terms'],
    rivals: ['uniform', 'sbr', 'ebr', 'clairvoyant'],
  },
  online: {
    ours: ['quality', 'quality+honest', 'quality+mixed'],
    rivals: [
      'uniform',
      'nutch-adaptive',
      'uc',
      'uc-clicks',
      'cho-gm',
      'azar',
      'lambdacrawl',
      'clicks',
      'quality',
      'clairvoyant',
    ],
  },
} as const

/** Mean ratios of shortfalls over sites, with 95 % intervals, and the best and worst site; one table a protocol and scoring. */
export function ratioTables(rows: readonly SiteRow[], seed: number): ReportTable[] {
  const best = bestTaus(rows)
  const scorings = [...new Set(rows.map(({ scoring }) => scoring))]
  return PROTOCOL_ORDER.flatMap((protocol) =>
    scorings.flatMap((scoring) => {
      const own = best.filter((row) => row.estimates === protocol && row.scoring === scoring)
      const { ours, rivals } = RIVALS[protocol]
      const lines = ours.flatMap((name) =>
        rivals.flatMap((rival) => {
          const sites = name === rival ? [] : siteRatios(own, name, rival)
          const interval = meanInterval(
            Float64Array.from(sites, ({ ratio }) => ratio),
            { seed },
          )
          if (!interval) return []
          const worst = sites.reduce((a, b) => (b.ratio > a.ratio ? b : a))
          return [
            [
              `${name} ÷ ${rival}`,
              interval.estimate.toFixed(3),
              `${interval.low.toFixed(3)} – ${interval.high.toFixed(3)}`,
              sites.length,
              `${worst.site} ${worst.ratio.toFixed(3)}`,
            ],
          ]
        }),
      )
      if (lines.length === 0) return []
      return {
        caption: `Shortfall ratios, ${scoring}, estimates ${protocol}: mean over sites of the mean over budgets`,
        header: ['ratio', 'mean', '95 % interval over sites', 'sites', 'worst site'],
        rows: lines,
      }
    }),
  )
}

/** By site: the mean over budgets of one policy's shortfall by another's. */
function siteRatios(rows: readonly SiteRow[], name: string, rival: string) {
  const sites = Map.groupBy(rows, ({ archive, workload }) => `${archive} ${workload}`)
  return [...sites].flatMap(([site, own]) => {
    const ratios = own
      .filter((row) => policyName(row) === name)
      .flatMap((row) => {
        const other = own.find((one) => policyName(one) === rival && one.percent === row.percent)
        return other && other.shortfall > 0 ? row.shortfall / other.shortfall : []
      })
    if (ratios.length === 0) return []
    return { site, ratio: ratios.reduce((a, b) => a + b, 0) / ratios.length }
  })
}

/** How many of its rivals' fetches a policy that knows gains needs, with the median over sites and budgets. */
export function equalQualityTable(rows: readonly SiteEquality[]): ReportTable[] {
  const groups = Map.groupBy(
    rows,
    ({ policy, estimates, scoring }) =>
      `${policy} needs to be as good as the best of sbr and ebr, estimates ${estimates}, ${scoring}`,
  )
  return Array.from(groups, ([title, own]) => ({
    caption: `Fetches that ${title}; median ${median(own.map(({ ratio }) => ratio)).toFixed(3)}`,
    header: ['site', '% a week', 'best rival', 'τ', 'its fetches', 'needed', 'ratio'],
    rows: own.map((row) => [
      `${row.archive} ${row.workload}`,
      row.percent,
      row.rival,
      row.tau ?? '–',
      row.rivalFetches,
      row.fetches,
      row.ratio.toFixed(3),
    ]),
  }))
}

/** Shortfalls of all policies, a line for each site, protocol, scoring and budget. */
export function shortfallTable(rows: readonly SiteRow[]): ReportTable[] {
  const best = bestTaus(rows)
  return PROTOCOL_ORDER.flatMap((protocol) => {
    const own = best.filter(({ estimates }) => estimates === protocol)
    if (own.length === 0) return []
    const names = [...new Set(own.map(policyName))]
    const cells = Map.groupBy(
      own,
      ({ archive, workload, scoring, percent }) => `${archive}|${workload}|${scoring}|${percent}`,
    )
    return {
      caption: `Shortfalls, estimates ${protocol}`,
      header: ['archive', 'queries', 'scoring', '% a week', ...names],
      rows: Array.from(cells, ([key, cell]) => [
        ...key.split('|'),
        ...names.map(
          (name) => cell.find((row) => policyName(row) === name)?.shortfall.toFixed(3) ?? '–',
        ),
      ]),
    }
  })
}

/** How far a claimed change is believed by each kind of host, week by week, mean over sites. */
export function trustChart(found: readonly RefreshFound[]): string[] {
  const all = found.flatMap(({ trust }) => trust)
  const kinds = Map.groupBy(all, ({ kind }) => kind)
  if (kinds.size < 2) return []
  const series = Array.from(kinds, ([name, own]) => ({
    name,
    points: Array.from(
      Map.groupBy(own, ({ week }) => week),
      ([week, rows]) =>
        [week, rows.reduce((sum, { belief }) => sum + belief, 0) / rows.length] as const,
    ).sort(([a], [b]) => a - b),
  }))
  return [
    lineChart(series, {
      title: 'How far a claimed change is believed, by what the host is like',
      xLabel: 'week',
      yLabel: 'belief (1/2: says nothing)',
    }),
  ]
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}
