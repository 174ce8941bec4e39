import type { BudgetSeries } from '#lab/experiments/budget/budget.ts'
import type { ComparisonResult } from '#lab/experiments/budget/budget-summary.ts'
import { barChart } from '#lab/report/bar-chart.ts'
import { lineChart, type Series } from '#lab/report/line-chart.ts'
import { PURPOSES } from '#policy/bids.ts'
import type { BudgetFound } from './budget.ts'

/** Policies whose quality is drawn week by week: more lines than these cannot be told apart. */
const DRAWN = [
  'unified',
  'split:70/20/10',
  'split:97/2/1',
  'bfs+uniform',
  'clairvoyant',
  'unified+values',
]

type Drawn = BudgetSeries & { readonly archive: string }

/** Ratios by archive, then how each archive went: quality, shares and price week by week. */
export function budgetCharts(
  found: readonly BudgetFound[],
  summary: readonly ComparisonResult[],
): string[] {
  const series: Drawn[] = found.flatMap(({ archive, series: own }) =>
    own.map((one) => ({ archive, ...one })),
  )
  const groups = Map.groupBy(series, ({ archive, start }) => `${archive}, start ${start} %`)
  return [
    ...summary.filter(({ comparison }) => comparison.startsWith('best')).map(ratioBars),
    ...[...groups].flatMap(([title, own]) => archiveCharts(title, own)),
  ]
}

function ratioBars({ comparison, start, queries, archives }: ComparisonResult): string {
  return barChart(
    archives.map(({ archive, ratio }) => ({ name: archive, parts: [ratio] })),
    {
      title: `Shortfall of one budget, of that of the ${comparison} (start ${start} %, ${queries} queries)`,
      yLabel: 'ratio; below 1 is better',
      partNames: ['mean over budgets'],
    },
  )
}

/** The smallest and the largest budget show the two ends; shares and price are shown for unified alone. */
function archiveCharts(title: string, series: readonly Drawn[]): string[] {
  const budgets = [...new Set(series.map(({ budget }) => budget))].sort((a, b) => a - b)
  const ends = [...new Set([budgets[0], budgets[budgets.length - 1]])]
  const qualities = ends.map((budget) =>
    lineChart(
      DRAWN.flatMap((policy) =>
        series
          .filter((one) => one.policy === policy && one.budget === budget)
          .map((one) => ({ name: policy, points: weekly(one.quality) })),
      ),
      { title: `Quality, ${title}, ${budget} % a week`, ...AXES, yLabel: 'quality' },
    ),
  )
  const unified = series.filter(({ policy }) => policy === 'unified')
  const shares = unified
    .filter(({ budget }) => ends.includes(budget))
    .map((one) =>
      lineChart(
        PURPOSES.map((task) => ({
          name: task,
          points: weekly(one[task]),
        })),
        {
          title: `What unified fetches for, ${title}, ${one.budget} % a week`,
          ...AXES,
          yLabel: 'share of the fetches',
        },
      ),
    )
  return [...qualities, ...shares, ...priceChart(title, unified)]
}

const AXES = { xLabel: 'week', wholeX: true } as const

function priceChart(title: string, unified: readonly Drawn[]): string[] {
  const lines: Series[] = unified
    .filter(({ price }) => price.length > 0)
    .map(({ budget, price }) => ({
      name: `${budget} % a week`,
      // Prices fall by orders of magnitude while the best pages are being fetched.
      points: weekly(price.map((one) => Math.log10(Math.max(one, LEAST_PRICE)))),
    }))
  if (lines.length === 0) return []
  const yLabel = 'price, log10 of quality × days'
  return [lineChart(lines, { title: `Price of a fetch, ${title}`, ...AXES, yLabel })]
}

/** Below this a price is as good as none. */
const LEAST_PRICE = 1e-6

function weekly(values: readonly number[]): (readonly [number, number])[] {
  return values.map((value, i) => [i + 1, value] as const)
}
