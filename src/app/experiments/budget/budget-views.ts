import type { BudgetRow, BudgetWeek, ValueCalibration } from '#lab/experiments/budget/budget.ts'
import type { ComparisonResult } from '#lab/experiments/budget/budget-summary.ts'
import { intervalText } from '#lab/metrics/bootstrap.ts'
import { worstArchive } from '#lab/metrics/shortfall-ratios.ts'
import { meanOf } from '#lab/report/rows.ts'
import type { View } from '#lab/report/view.ts'
import { PURPOSES } from '#policy/bids.ts'

interface OfArchive {
  readonly archive: string
}
type Row = BudgetRow & OfArchive
type Week = BudgetWeek & OfArchive

export type BudgetFound = {
  readonly sites: readonly (OfArchive & {
    readonly pages: number
    readonly weeks: number
    readonly queries: number
    /** True if nobody asked the queries. */
    readonly madeUp: boolean
  })[]
  readonly rows: readonly Row[]
  readonly weeks: readonly Week[]
  readonly calibrations: readonly (ValueCalibration & OfArchive)[]
  readonly summary: readonly ComparisonResult[]
}

interface Setting {
  readonly start: number
  readonly queries: string
}
const setting = ({ start, queries }: Setting) => `start ${start} %, ${queries} queries`
const archiveAt = ({ archive, start, budget }: Week) =>
  `${archive}, start ${start} %, ${budget} % a week`
const weekly = ['a week', ({ budget }: { readonly budget: number }) => `${budget} %`] as const

/** The smallest and the largest budget show the two ends. */
function ends(rows: readonly Week[]): Week[] {
  const budgets = rows.map(({ budget }) => budget)
  const [least, most] = [Math.min(...budgets), Math.max(...budgets)]
  return rows.filter(({ budget }) => budget === least || budget === most)
}

const ofUnified = <Row extends { readonly policy: string }>(rows: readonly Row[]) =>
  rows.filter(({ policy }) => policy === 'unified')

/** Below this a price is as good as none. */
const LEAST_PRICE = 1e-6
const TENTHS = Array.from({ length: 10 }, (_, tenth) => tenth)

export const budgetViews: readonly View<BudgetFound>[] = [
  {
    as: 'lines',
    of: 'rows',
    title: 'quality by policy, mean over archives',
    each: setting,
    x: 'budget',
    y: 'quality',
    xLabel: 'fetches a week, in per cent of the pages',
    yLabel: 'quality',
  },
  {
    as: 'bars',
    of: 'rows',
    title: 'what fetches were for, mean over archives and budgets',
    each: setting,
    yLabel: 'share of the fetches',
    parts: PURPOSES.map((task) => [task, ({ shares }) => shares[task]]),
  },
  {
    as: 'bars',
    of: 'summary',
    title: 'shortfall of unified by that of the best of these splits',
    pick: (rows) =>
      rows
        .filter(({ comparison }) => comparison.startsWith('best'))
        .flatMap((row) => row.archives.map((one) => ({ ...row, archives: [one] }))),
    each: (row) => `${setting(row)}, ${row.comparison}`,
    by: ({ archives }) => archives[0].archive,
    yLabel: 'ratio; below 1 is better',
    parts: [['ratio', ({ archives }) => archives[0].ratio]],
  },
  {
    as: 'lines',
    of: 'weeks',
    title: 'quality week by week',
    pick: ends,
    each: archiveAt,
    x: 'week',
    y: 'quality',
    xLabel: 'week',
    yLabel: 'quality',
    wholeX: true,
  },
  {
    as: 'lines',
    of: 'weeks',
    title: 'what unified fetches for',
    pick: (rows) => ends(ofUnified(rows)),
    each: archiveAt,
    x: 'week',
    y: PURPOSES.map((task) => [task, task]),
    xLabel: 'week',
    yLabel: 'share of the fetches',
    wholeX: true,
  },
  {
    as: 'lines',
    of: 'weeks',
    title: 'price of a fetch',
    pick: (rows) => ofUnified(rows).filter(({ price }) => price !== null),
    each: ({ archive, start }) => `${archive}, start ${start} %`,
    by: ({ budget }) => `${budget} % a week`,
    x: 'week',
    // Prices fall by orders of magnitude while the best pages are being fetched.
    y: ({ price }) => Math.log10(Math.max(price!, LEAST_PRICE)),
    xLabel: 'week',
    yLabel: 'price, log10 of quality × days',
    wholeX: true,
  },
  {
    as: 'table',
    of: 'rows',
    caption: 'quality, mean over archives and samples of the queries',
    columns: [['start', ({ start }) => `${start} %`], 'queries', weekly],
    across: { by: 'policy', cell: (rows) => meanOf(rows, 'quality') },
  },
  {
    as: 'table',
    of: 'summary',
    caption: 'shortfall ratios: mean over archives of the mean over budgets',
    columns: [
      ['unified against', 'comparison'],
      ['start', ({ start }) => `${start} %`],
      'queries',
      ['ratio', ({ ratio }) => intervalText(ratio)],
      ['archives', ({ archives }) => archives.length],
      ['worst archive', worstArchive],
    ],
  },
  {
    as: 'table',
    of: 'rows',
    caption: 'shortfalls, mean over samples of the queries',
    isDetail: true,
    each: setting,
    columns: ['archive', weekly],
    across: { by: 'policy', cell: (rows) => meanOf(rows, 'shortfall')?.toFixed(4) },
  },
  {
    as: 'table',
    of: 'rows',
    caption: 'shares of fetches for new pages / copies / links, in per cent, mean over archives',
    isDetail: true,
    each: setting,
    columns: [weekly],
    across: {
      by: 'policy',
      cell: (rows) =>
        PURPOSES.map((task) => percent(meanOf(rows, ({ shares }) => shares[task]))).join(' / '),
    },
  },
  {
    as: 'table',
    of: 'rows',
    caption:
      'values of new pages: rank correlation with the truth / predicted over realised, mean over archives',
    isDetail: true,
    each: setting,
    columns: [weekly],
    across: { by: 'policy', cell: (rows) => pair(rows, 'valueCorrelation', 'valueBias', 2) },
  },
  {
    as: 'table',
    of: 'rows',
    caption: 'weeks from birth until a page was known / held, mean over archives',
    isDetail: true,
    each: setting,
    columns: [weekly],
    across: { by: 'policy', cell: (rows) => pair(rows, 'discoveryDelay', 'holdingDelay', 1) },
  },
  {
    as: 'table',
    of: 'rows',
    caption:
      'weeks until nine tenths of the quality lost by a mass deletion were back, median over samples (quality lost; mean quality of the first eight weeks)',
    isDetail: true,
    pick: (rows) => rows.filter(({ recovery }) => recovery.length > 0),
    each: setting,
    columns: ['archive', weekly],
    across: { by: 'policy', cell: recoveryText },
  },
  {
    as: 'table',
    of: 'calibrations',
    caption:
      'values of new pages by tenths, lowest first: predicted → realised, 1 is the mean realised',
    isDetail: true,
    pick: ofUnified,
    columns: [
      'archive',
      ['start', ({ start }) => `${start} %`],
      weekly,
      'queries',
      ...TENTHS.map(
        (tenth) =>
          [String(tenth + 1), (row: ValueCalibration) => calibrationText(row, tenth)] as const,
      ),
    ],
  },
]

const percent = (share: number | undefined) => Math.round(100 * (share ?? 0))

function pair(rows: readonly Row[], one: keyof Row, other: keyof Row, digits: number): string {
  const text = (field: keyof Row) => meanOf(rows, field)?.toFixed(digits) ?? '–'
  return `${text(one)} / ${text(other)}`
}

function recoveryText(rows: readonly Row[]): string {
  const all = rows.flatMap(({ recovery }) => recovery)
  const weeks = all.map((one) => one.weeks ?? Number.POSITIVE_INFINITY).sort((a, b) => a - b)
  const middle = weeks[weeks.length >> 1]
  const [lost, quality] = [meanOf(all, 'lost'), meanOf(all, 'quality')]
  return `${Number.isFinite(middle) ? middle : 'never'} (${lost?.toFixed(3)}; ${quality?.toFixed(3)})`
}

/** In units of the mean of all. */
function calibrationText({ groups }: ValueCalibration, tenth: number): string | undefined {
  const group = groups.at(tenth)
  const total = groups.reduce((sum, { weight, realised }) => sum + weight * realised, 0)
  const mean = total / groups.reduce((sum, { weight }) => sum + weight, 0)
  return group && `${(group.predicted / mean).toFixed(2)} → ${(group.realised / mean).toFixed(2)}`
}
