import {
  type EqualQuality,
  REFRESH_PROTOCOLS,
  type RefreshFindings,
  type RefreshProtocol,
  type RefreshRow,
} from '#lab/experiments/refresh/refresh.ts'
import { type ComparedShortfalls, shortfallRatios } from '#lab/metrics/shortfall-ratios.ts'
import { groupsBy } from '#lab/report/rows.ts'
import type { View } from '#lab/report/view.ts'

/** A site is an archive under a workload. */
interface Site {
  readonly archive: string
  readonly workload: string
}
type SiteRow = Site & RefreshRow

/** How a policy's shortfall compares with another's, over all sites. */
interface RatioRow extends ComparedShortfalls {
  readonly estimates: RefreshProtocol
  readonly scoring: string
}

export type RefreshFound = {
  readonly sites: readonly (Site & Readonly<Record<'queries' | 'pages' | 'weeks', number>>)[]
  readonly rows: readonly SiteRow[]
  readonly ratios: readonly RatioRow[]
  readonly equalQuality: readonly (Site & EqualQuality)[]
  readonly trust: readonly (Site & RefreshFindings['trust'][number])[]
}

/** Whom our policies are compared with, by protocol. */
const BEFOREHAND = {
  ours: ['uc', 'uc-weekly', 'uc-terms'],
  rivals: ['uniform', 'sbr', 'ebr', 'clairvoyant'],
}
const RIVALS: Readonly<Record<RefreshProtocol, typeof BEFOREHAND>> = {
  whole: BEFOREHAND,
  split: BEFOREHAND,
  online: {
    ours: ['quality', 'quality+honest', 'quality+mixed'],
    rivals: [
      ...['uniform', 'nutch-adaptive', 'uc', 'uc-views', 'cho-gm', 'azar', 'lambdacrawl'],
      ...['views', 'quality', 'clairvoyant'],
    ],
  },
}

/** The name under which rows of a protocol are compared. */
const policyName = ({ policy, lastmod }: RefreshRow): string =>
  lastmod === 'none' ? policy : `${policy}+${lastmod}`
const siteName = ({ archive, workload }: Site): string => `${archive} ${workload}`

/** Of several thresholds the best, at each budget. */
function bestTaus(rows: readonly SiteRow[]): SiteRow[] {
  const alike = groupsBy(rows, (row) =>
    [siteName(row), row.scoring, row.estimates, policyName(row), row.percent].join(' '),
  )
  return Array.from(alike.values(), (own) => own.reduce((a, b) => (b.quality > a.quality ? b : a)))
}

/** Mean ratios of shortfalls over sites, by protocol and scoring. */
export function refreshRatios(rows: readonly SiteRow[], seed: number): RatioRow[] {
  const best = bestTaus(rows)
  const scorings = [...new Set(rows.map(({ scoring }) => scoring))]
  return REFRESH_PROTOCOLS.flatMap((estimates) =>
    scorings.flatMap((scoring) => {
      const { ours, rivals } = RIVALS[estimates]
      const own = best
        .filter((row) => row.estimates === estimates && row.scoring === scoring)
        .map((row) => ({
          archive: siteName(row),
          policy: policyName(row),
          budget: row.percent,
          split: 1,
          shortfall: row.shortfall,
        }))
      const comparisons = ours.flatMap((policy) =>
        rivals
          .filter((rival) => rival !== policy)
          .map((rival) => ({ name: `${policy} ÷ ${rival}`, policy, rivals: [rival] })),
      )
      return shortfallRatios(own, comparisons, seed).map((one) => ({ estimates, scoring, ...one }))
    }),
  )
}

export const refreshViews: readonly View<RefreshFound>[] = [
  // The paper's Figure 4.
  {
    as: 'lines',
    of: 'rows',
    title: 'shortfall of quality against fetches a week',
    pick: bestTaus,
    each: ({ archive, workload, scoring, estimates }) =>
      `${archive} (${workload}), ${scoring}, estimates ${estimates}`,
    by: policyName,
    x: 'budget',
    y: 'shortfall',
    xLabel: 'fetches a week',
    logX: true,
  },
  {
    as: 'lines',
    of: 'trust',
    title: 'How far a claimed change is believed, by what the host is like',
    pick: (rows) => (new Set(rows.map(({ kind }) => kind)).size > 1 ? rows : []),
    by: 'kind',
    x: 'week',
    y: 'belief',
    yLabel: 'belief (1/2: says nothing)',
  },
  {
    as: 'table',
    of: 'ratios',
    caption: 'shortfall ratios, mean over sites of the mean over budgets',
  },
  {
    as: 'table',
    of: 'equalQuality',
    each: ({ policy, estimates, scoring }) => `${policy}, estimates ${estimates}, ${scoring}`,
    caption: (rows) =>
      `fetches it needs to be as good as the best of sbr and ebr; median ${median(rows.map(({ ratio }) => ratio)).toFixed(3)}`,
  },
  {
    as: 'table',
    of: 'rows',
    caption: 'shortfalls',
    isDetail: true,
    pick: bestTaus,
    each: ({ estimates }) => `estimates ${estimates}`,
    columns: ['archive', 'workload', 'scoring', 'percent'],
    across: { by: policyName, cell: ([row]) => row.shortfall },
  },
]

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}
