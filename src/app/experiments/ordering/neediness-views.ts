import type { LearntImprovability, SketchRow } from '#lab/experiments/ordering/neediness.ts'
import type { SplitKind } from '#lab/judging/query-split.ts'
import type { View } from '#lab/report/view.ts'

interface Place {
  readonly archive: string
  readonly dataset: 1 | 2
  readonly queries: SplitKind
  readonly split: number
  readonly policy: string
}

export type NeedinessFound = {
  readonly rows: readonly (Place & SketchRow & { readonly kept: number | null })[]
  readonly improvability: readonly (Place & { readonly improvability: LearntImprovability })[]
  readonly buckets: readonly (Place &
    Omit<LearntImprovability['buckets'][number], 'queries'> & { readonly count: number })[]
  /** Rows with all sketches and with few. */
  readonly budgets: readonly (Place & SketchRow & { readonly sketches: string })[]
}

/** Pages fetched, as shares of all, where curves are compared. */
const BUDGETS = [0.01, 0.03, 0.1, 0.2, 0.5]

const each = ({ archive, dataset, queries, split, policy }: Place) =>
  `${archive}, sample ${dataset}, queries: ${queries}, split ${split}, ${policy}`
const atBudgets = (rows: NeedinessFound['rows']) =>
  rows.filter(({ fraction }) => BUDGETS.includes(fraction))

export const needinessViews: readonly View<NeedinessFound>[] = [
  {
    as: 'lines',
    of: 'buckets',
    title: 'new top results by the score of the old ones',
    each,
    x: 'averageScore',
    y: [
      ['learnt', 'predicted'],
      ['test queries', 'test'],
    ],
    xLabel: 'average score of the top results before',
    yLabel: 'new top results',
  },
  {
    as: 'lines',
    of: 'rows',
    title: 'impact by the sketches kept',
    pick: atBudgets,
    each,
    by: ({ fraction }) => `${fraction} fetched`,
    x: 'share',
    y: 'impact',
    xLabel: 'share of the sketches kept',
    yLabel: 'share of the impact fetched',
    logX: true,
  },
  {
    as: 'lines',
    of: 'budgets',
    title: 'impact by the pages fetched',
    each,
    by: 'sketches',
    x: 'fraction',
    y: 'impact',
    xLabel: 'share of the pages fetched',
    yLabel: 'share of the impact fetched',
  },
  {
    as: 'table',
    of: 'buckets',
    each,
    caption: ([bucket], { improvability }) => {
      const { form, error, errorOfMean } = improvability.find(
        (one) => each(one) === each(bucket),
      )!.improvability
      return `new top results (fit: ${form}; squared error ${error.toFixed(3)}, of the mean ${errorOfMean.toFixed(3)})`
    },
    columns: [['queries', 'count'], 'averageScore', 'predicted', 'training', 'test'],
  },
  {
    as: 'table',
    of: 'rows',
    pick: atBudgets,
    each,
    caption: 'impact by share of the sketches, and of that with all',
    columns: [['sketches', 'share'], ['fetched', 'fraction'], 'impact', 'kept'],
  },
]
