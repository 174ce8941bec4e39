import type { LearntImprovability, SketchRow } from '#lab/experiments/ordering/neediness.ts'
import type { SplitKind } from '#lab/judging/query-split.ts'
import { groupsBy, meanOf } from '#lab/report/rows.ts'
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
    Omit<LearntImprovability['buckets'][number], 'queries'> & {
      readonly bucket: number
      readonly count: number
    })[]
  /** New results of the queries of a bucket as learnt and as they came, mean of the splits. */
  readonly results: readonly ReturnType<typeof resultRows>[number][]
  /** Rows with all sketches and with few. */
  readonly budgets: readonly (Place & SketchRow & { readonly sketches: string })[]
}

/** Pages fetched, as shares of all, where curves are compared, and where they are drawn. */
const BUDGETS = [0.01, 0.03, 0.1, 0.2, 0.5]
const DRAWN_BUDGETS = [0.01, 0.1, 0.5]

type Question = Pick<Place, 'archive' | 'dataset' | 'queries'>
const question = ({ archive, dataset, queries }: Question) =>
  `${archive}, sample ${dataset}, queries: ${queries}`
const each = (place: Place) => `${question(place)}, split ${place.split}, ${place.policy}`
const atBudgets = (rows: NeedinessFound['rows']) =>
  rows.filter(({ fraction }) => BUDGETS.includes(fraction))

export function resultRows(buckets: NeedinessFound['buckets']) {
  const alike = groupsBy(buckets, (row) => `${question(row)} ${row.policy} ${row.bucket}`)
  return [...alike.values()].flatMap((own) => {
    const { archive, dataset, queries, policy } = own[0]
    const place = { archive, dataset, queries, averageScore: meanOf(own, 'averageScore') }
    return [
      { ...place, line: `${policy}, learnt`, results: meanOf(own, 'predicted') },
      { ...place, line: `${policy}, test queries`, results: meanOf(own, 'test') },
    ]
  })
}

export const needinessViews: readonly View<NeedinessFound>[] = [
  {
    as: 'lines',
    of: 'results',
    title: 'new top results by the score of the old ones',
    each: question,
    by: 'line',
    x: 'averageScore',
    y: 'results',
    xLabel: 'average score of the top results before',
    yLabel: 'new top results',
  },
  {
    as: 'lines',
    of: 'rows',
    title: 'impact by the sketches kept',
    pick: (rows) => rows.filter(({ fraction }) => DRAWN_BUDGETS.includes(fraction)),
    each: (row) => `${question(row)}, ${100 * row.fraction} % of the pages fetched`,
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
    each: question,
    by: ({ policy, sketches }) => `${policy}, ${sketches}`,
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
