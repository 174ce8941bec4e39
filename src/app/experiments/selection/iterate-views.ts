import type { IterateResult, IterateRow } from '#lab/experiments/selection/iterate.ts'
import { type Presence, presenceOf } from '#lab/metrics/presence-codes.ts'
import type { View } from '#lab/report/view.ts'

interface Place {
  readonly archive: string
  /** Documents of the breadth-first crawl, by which a run is named. */
  readonly corpus: number
}

export type IterateFound = {
  readonly rows: readonly (Place & IterateRow)[]
  readonly likenesses: readonly (Place & IterateResult['likenesses'][number])[]
  readonly sandboxes: readonly (Place & { readonly requested: number })[]
}

const PRESENCES: readonly Presence[] = ['stable', 'new', 'lost', 'churn']

function countOf(codes: IterateRow['codes'], presence: Presence): number | null {
  if (codes === null) return null
  return Object.entries(codes)
    .filter(([code]) => presenceOf(code) === presence)
    .reduce((sum, [, count]) => sum + count, 0)
}

const each = ({ archive, corpus }: Place) => `${archive}, ${corpus} pages`
/** Presence in iterations 1, 2 and 3, as the paper shows it. */
const third = <Row extends IterateRow>(rows: readonly Row[]) =>
  rows.filter(({ iteration }) => iteration === 3)
const judged = (rows: IterateFound['rows']) => third(rows).filter(({ maxNdcg }) => maxNdcg !== null)

const BY_ITERATION = { as: 'lines', each, x: 'iteration' } as const
const FATES = { as: 'bars', of: 'rows', each, yLabel: 'pages' } as const

export const iterateViews: readonly View<IterateFound>[] = [
  { ...BY_ITERATION, of: 'rows', title: 'quality of each selection', y: 'maxNdcg' },
  { ...BY_ITERATION, of: 'rows', title: 'likeness to the corpus before', y: 'jaccardPrevious' },
  {
    ...BY_ITERATION,
    of: 'likenesses',
    title: "likeness of the policies' corpora",
    by: ({ policies }: IterateFound['likenesses'][number]) => policies.join(' and '),
    y: 'jaccard',
  },
  {
    ...FATES,
    title: 'what became of pages over three iterations',
    pick: third,
    y: PRESENCES.map((one) => [one, ({ codes }: IterateRow) => countOf(codes, one)] as const),
  },
  {
    ...FATES,
    title: 'the same of pages judged good',
    pick: judged,
    y: PRESENCES.map(
      (one) => [one, ({ goodCodes }: IterateRow) => countOf(goodCodes, one)] as const,
    ),
  },
  {
    as: 'lines',
    of: 'rows',
    each,
    title: 'helpful pages before, and quality after',
    x: 'helpful',
    y: 'maxNdcg',
  },
  {
    as: 'table',
    of: 'rows',
    each,
    caption: ([{ archive, corpus }], { sandboxes }) =>
      `${sandboxes.find((one) => one.archive === archive && one.corpus === corpus)?.requested} URLs requested in all`,
    columns: [
      ...(['policy', 'iteration', 'size', 'fetched', 'maxNdcg', 'actualMaxNdcg'] as const),
      'jaccardPrevious',
      ...PRESENCES.map((one) => [one, ({ codes }: IterateRow) => countOf(codes, one)] as const),
      'helpful',
    ],
  },
]
