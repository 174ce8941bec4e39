import { RecordedWeb } from '#archive/recorded-web.ts'
import {
  type IterateResult,
  type IterateRow,
  runIterate,
} from '#lab/experiments/selection/iterate.ts'
import { type Presence, presenceOf } from '#lab/metrics/presence-codes.ts'
import type { View } from '#lab/report/view.ts'
import { selectionNamed } from '#lab/selection/selection.ts'
import { readWhole, snapshotAt } from '../running/archive-shelf.ts'
import { defineExperiment } from '../running/define-experiment.ts'
import { numbersFlag, snapshotFlag, wholeFlag } from '../running/flags.ts'
import { selectionNames, selectionsFlag } from './selection.ts'

interface Place {
  readonly archive: string
  /** Documents of the breadth-first crawl, by which a run is named. */
  readonly corpus: number
}

type Found = {
  readonly rows: readonly (Place & IterateRow)[]
  readonly likenesses: readonly (Place & IterateResult['likenesses'][number])[]
  readonly sandboxes: readonly (Place & { readonly requested: number })[]
}

/** The paper's three, and the union it found best. */
const USUAL = ['pagerank', 'indegree', 'td-indegree', 'pagerank+td2']
/** The size when none is named: this share of the pages live. */
const SHARE = 0.1

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
const judged = (rows: Found['rows']) => third(rows).filter(({ maxNdcg }) => maxNdcg !== null)

const BY_ITERATION = { as: 'lines', each, x: 'iteration' } as const
const FATES = { as: 'bars', of: 'rows', each, yLabel: 'pages' } as const

const views: readonly View<Found>[] = [
  { ...BY_ITERATION, of: 'rows', title: 'quality of each selection', y: 'maxNdcg' },
  { ...BY_ITERATION, of: 'rows', title: 'likeness to the corpus before', y: 'jaccardPrevious' },
  {
    ...BY_ITERATION,
    of: 'likenesses',
    title: "likeness of the policies' corpora",
    by: ({ policies }: Found['likenesses'][number]) => policies.join(' and '),
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

export const iterateExperiment = defineExperiment<Found>()({
  name: 'iterate',
  summary:
    'what becomes of a corpus that each policy selects anew from its own links, generation after generation',
  example:
    'iterate --archive modelweb --policies pagerank,indegree,td-indegree --sizes 5000 \\\n    --out iterate.json --report iterate.html',
  flags: {
    policies: selectionsFlag(USUAL),
    sizes: numbersFlag('pages of a corpus, separated by commas (default: a tenth of all)'),
    iterations: wholeFlag('n', 'selections after the breadth-first crawl', [1], 4),
    at: snapshotFlag,
  },
  help: selectionNames,
  open: async (shelved, { at }) => {
    const { archive, workload } = await readWhole(shelved, { text: false })
    return { web: new RecordedWeb(archive, snapshotAt(shelved, at)), workload }
  },
  trials: ({ policies, sizes, iterations, seed }, trialsOf) =>
    trialsOf({ corpus: sizes ?? ['usual size'] }, ({ web, workload }, { corpus: asked }) => {
      const live = web.archive.livePages(web.snapshot).length
      const size = typeof asked === 'number' ? asked : Math.max(1, Math.round(SHARE * live))
      const recipes = policies.names.map((name) => selectionNamed(name, policies.registry))
      const found = runIterate({ web, workload, recipes, size, iterations, seed })
      const corpus = found.rows.find(({ iteration }) => iteration === 0)?.size ?? 0
      return {
        tables: {
          rows: found.rows.map((row) => ({ corpus, ...row })),
          likenesses: found.likenesses.map((row) => ({ corpus, ...row })),
          sandboxes: [{ corpus, requested: found.sandbox }],
        },
      }
    }),
  keys: ['archive', 'policy', 'corpus', 'iteration'],
  title: 'Iterate: what becomes of a corpus that is selected again and again',
  intro: `A breadth-first crawl gives the first corpus. Then each policy selects as many URLs again and again,
every time by the links of its own corpus before and nothing else; what is selected is fetched, what is not is
dropped. A policy is stable if its corpora are alike, and good if it keeps finding pages that answer the judged
queries. Helpful pages link to a page judged good: a corpus that loses them cannot see where to go.`,
  views,
})
