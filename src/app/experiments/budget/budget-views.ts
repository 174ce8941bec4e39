import type {
  BudgetCase,
  BudgetRow,
  BudgetWeek,
  PageValues,
  ValueCalibration,
} from '#lab/experiments/budget/budget.ts'
import type { ComparisonResult } from '#lab/experiments/budget/budget-summary.ts'
import { ALL_BUDGETS, type LeftOutBudget } from '#lab/experiments/budget/left-out.ts'
import { meanOf, overArchives } from '#lab/report/rows.ts'
import type { View } from '#lab/report/view.ts'
import { PURPOSES, type Purpose } from '#policy/bids.ts'

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
  /** Of each crawl, what calibrations are made of. */
  readonly values: readonly (BudgetCase & OfArchive & PageValues)[]
  readonly calibrations: readonly (ValueCalibration & OfArchive)[]
  readonly summary: readonly ComparisonResult[]
  readonly leftOut: readonly LeftOutBudget[]
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
const TENTHS = Array.from({ length: 10 }, (_, i) => i + 1)
const priced = (rows: readonly Week[]) => ofUnified(rows).filter(({ price }) => price !== null)

const BY_WEEK = { as: 'lines', of: 'weeks', x: 'week' } as const
const BY_POLICY = { as: 'table', of: 'rows', isDetail: true, each: setting } as const

export const budgetViews: readonly View<BudgetFound>[] = [
  {
    as: 'lines',
    of: 'rows',
    title: (rows) => `quality by policy, ${overArchives(rows)}`,
    each: setting,
    x: 'budget',
    y: 'quality',
    xLabel: 'fetches a week, in per cent of the pages',
  },
  {
    as: 'bars',
    of: 'rows',
    title: (rows) => `what fetches were for, all budgets, ${overArchives(rows)}`,
    each: setting,
    y: PURPOSES.map((task) => [task, ({ shares }) => shares[task]]),
    yLabel: 'share of the fetches',
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
    y: ({ archives }) => archives[0].ratio,
    yLabel: 'ratio; below 1 is better',
  },
  { ...BY_WEEK, title: 'quality week by week', pick: ends, each: archiveAt, y: 'quality' },
  {
    ...BY_WEEK,
    title: 'what unified fetches for',
    pick: (rows: readonly Week[]) => ends(ofUnified(rows)),
    each: archiveAt,
    y: PURPOSES.map((task) => [task, task] as const),
    yLabel: 'share of the fetches',
  },
  {
    ...BY_WEEK,
    title: 'price of a fetch',
    pick: priced,
    each: ({ archive, start }: Week) => `${archive}, start ${start} %`,
    by: ({ budget }: Week) => `${budget} % a week`,
    // Prices fall by orders of magnitude while the best pages are being fetched.
    y: ({ price }: Week) => Math.log10(Math.max(price!, LEAST_PRICE)),
    yLabel: 'price, log10 of quality × days',
  },
  {
    as: 'table',
    of: 'rows',
    caption: 'quality, mean over archives and samples of the queries',
    columns: ['start', 'queries', weekly],
    across: { by: 'policy', cell: (rows) => meanOf(rows, 'quality') },
  },
  {
    as: 'table',
    of: 'summary',
    caption:
      'shortfall of unified by that of others: geometric mean over archives and budgets, with 95 % intervals',
  },
  {
    as: 'table',
    of: 'leftOut',
    caption:
      'archives left out: shortfall of unified by that of the split that the other archives would choose, geometric means with 95 % intervals; the share of what unified misses that the worst page carries; weeks until a new page is known',
    columns: [
      ...(['start', 'queries'] as const),
      ['a week', ({ budget }) => (budget === ALL_BUDGETS ? 'all' : `${budget} %`)],
      ...(['ratio', 'worst', 'chosen', 'worstPage', 'weeksUnknown', 'weeksOfBestSplit'] as const),
    ],
  },
  {
    ...BY_POLICY,
    caption: 'shortfalls, mean over samples of the queries',
    columns: ['archive', weekly],
    across: { by: 'policy', cell: (rows: readonly Row[]) => meanOf(rows, 'shortfall') },
  },
  {
    ...BY_POLICY,
    caption: 'shares of fetches for new pages / copies / links, in per cent, mean over archives',
    columns: [weekly],
    across: { by: 'policy', cell: sharesText },
  },
  {
    ...BY_POLICY,
    caption:
      'values of new pages: rank correlation with the truth / predicted over realised, mean over archives',
    columns: [weekly],
    across: { by: 'policy', cell: pair('valueCorrelation', 'valueBias', 2) },
  },
  {
    ...BY_POLICY,
    caption:
      'single losses of pages not known / not fetched / out of date / gone; the worst page, in per cent of all',
    columns: ['archive', weekly],
    across: { by: 'policy', cell: lossesText },
  },
  {
    ...BY_POLICY,
    caption: 'weeks from birth until a page was known / held, mean over archives',
    columns: [weekly],
    across: { by: 'policy', cell: pair('discoveryDelay', 'holdingDelay', 1) },
  },
  {
    ...BY_POLICY,
    caption:
      'weeks until nine tenths of the quality lost by a mass deletion were back, median over samples (quality lost; mean quality of the first eight weeks)',
    pick: (rows: readonly Row[]) => rows.filter(({ recovery }) => recovery.length > 0),
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
      ...(['archive', 'start', 'queries'] as const),
      weekly,
      ...TENTHS.map((tenth) => [`${tenth}`, calibrationText(tenth)] as const),
    ],
  },
]

function sharesText(rows: readonly Row[]): string {
  const share = (task: Purpose) => meanOf(rows, ({ shares }) => shares[task]) ?? 0
  return PURPOSES.map((task) => Math.round(100 * share(task))).join(' / ')
}

function pair(one: keyof Row, other: keyof Row, digits: number) {
  return (rows: readonly Row[]): string =>
    [one, other].map((field) => meanOf(rows, field)?.toFixed(digits) ?? '–').join(' / ')
}

function lossesText(rows: readonly Row[]): string {
  const share = (of: keyof NonNullable<Row['losses']>) =>
    Math.round(100 * (meanOf(rows, ({ losses }) => losses?.[of]) ?? 0))
  const causes = (['unknown', 'unfetched', 'stale', 'gone'] as const).map(share)
  return `${causes.join(' / ')}; ${share('worstPage')}`
}

function recoveryText(rows: readonly Row[]): string {
  const all = rows.flatMap(({ recovery }) => recovery)
  const weeks = all.map((one) => one.weeks ?? Number.POSITIVE_INFINITY).sort((a, b) => a - b)
  const middle = weeks[weeks.length >> 1]
  const [lost, quality] = [meanOf(all, 'lost'), meanOf(all, 'quality')]
  return `${Number.isFinite(middle) ? middle : 'never'} (${lost?.toFixed(3)}; ${quality?.toFixed(3)})`
}

/** In units of the mean of all. */
function calibrationText(tenth: number) {
  return ({ groups }: ValueCalibration): string | undefined => {
    const group = groups.at(tenth - 1)
    const total = groups.reduce((sum, { rows, realised }) => sum + rows * realised, 0)
    const mean = total / groups.reduce((sum, { rows }) => sum + rows, 0)
    return group && `${(group.predicted / mean).toFixed(2)} → ${(group.realised / mean).toFixed(2)}`
  }
}
