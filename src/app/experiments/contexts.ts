import { RecordedWeb } from '#archive/recorded-web.ts'
import { type ContextRow, runContexts } from '#lab/experiments/contexts/contexts.ts'
import { AnswerTruth } from '#lab/judging/answer-truth.ts'
import { geometricInterval, type Interval } from '#lab/metrics/bootstrap.ts'
import { groupsBy, meanOf } from '#lab/report/rows.ts'
import { readQueriesOrMakeUp } from './budget/budget-archive.ts'
import { snapshotAt } from './running/archive-shelf.ts'
import { defineExperiment } from './running/define-experiment.ts'
import { percentsFlag, snapshotFlag, wholeFlag } from './running/flags.ts'

type Row = ContextRow & { readonly archive: string; readonly start: number; readonly split: number }

/** How much better pages are told by something than by addresses and anchors alone. */
interface Gain {
  readonly start: number
  readonly knows: string
  /** Geometric means over archives. */
  readonly lookedAt: Interval | undefined
  readonly precision: Interval | undefined
  readonly impact: Interval | undefined
}

type Found = { readonly rows: readonly Row[]; readonly gains: readonly Gain[] }

const MEASURES = ['lookedAt', 'precision', 'impact'] as const
const NAMES = 'names'

export const contextsExperiment = defineExperiment<Found>()({
  name: 'contexts',
  summary: 'what the words around links tell of pages not fetched yet (average precision, impact)',
  example: 'contexts --archive modelweb --out out.json',
  flags: {
    start: percentsFlag('per cent of the pages held, as in 20,80', '20'),
    splits: wholeFlag('number', 'samples of the pages and queries', [1], 2),
    mostQueries: wholeFlag('number', 'queries used of an archive at most', [20], 400),
    at: snapshotFlag,
  },
  open: async (shelved, { at, mostQueries }) => {
    const { archive, queries } = await readQueriesOrMakeUp(shelved, mostQueries)
    const web = new RecordedWeb(archive, snapshotAt(shelved, at), { sitemaps: 'none' })
    return new AnswerTruth(web, queries)
  },
  trials: ({ start, splits, seed }, trialsOf) =>
    trialsOf(
      { start, split: Array.from({ length: splits }, (_, i) => i + 1) },
      async (truth, { start, split }) => ({
        tables: { rows: await runContexts(truth, { share: start / 100, split, seed }) },
      }),
    ),
  derive: ({ rows }, { seed }) => ({ gains: gainsOf(rows, seed) }),
  keys: ['archive', 'start', 'split', 'knows'],
  title: 'Contexts: what is known of pages before they are fetched',
  intro: `Random pages are held, and a crawl learns from them what pairs of query and page are worth, as impact does. "names" are addresses and anchors,
as impact reads them. Contexts are added one after the other: "near" are eight words before and after a link, "block" forty of its block, "teaser" what follows before the next link,
"heading" the nearest short line above, "parent" the title of the page linking. "opening" are a page's title and first sixty words, as an honest feed would give them, "words" all its words, "score" what it scores: nobody knows these
before a fetch. Pairs are found by what is known, too: where half of a query is said. lookedAt: the share of the right pairs that is looked at. precision: average precision of pairs, where those with a place among the first ten when all is held are right. impact: the share
of these places that the best tenth of the pages takes. Every archive learns from its own pages only.`,
  views: [
    {
      as: 'table',
      of: 'gains',
      caption:
        'as a multiple of what names give: geometric means over archives with 95 % intervals',
    },
    ...MEASURES.map((measure) => ({
      as: 'table' as const,
      of: 'rows' as const,
      caption: `${measure}, mean over samples`,
      each: ({ start }: Row) => `${start} % held`,
      columns: ['archive' as const],
      across: { by: 'knows' as const, cell: (rows: readonly Row[]) => meanOf(rows, measure) },
    })),
  ],
})

/** Of each archive the mean over samples counts once. */
function gainsOf(rows: readonly Row[], seed: number): Gain[] {
  return [...groupsBy(rows, ({ start, knows }) => `${start} ${knows}`).values()].map((own) => {
    const [{ start, knows }] = own
    const isAlike = (row: Row) => row.start === start && row.knows === NAMES
    const byNames = groupsBy(rows.filter(isAlike), 'archive')
    const ratio = (measure: (typeof MEASURES)[number]) => {
      const ratios = Array.from(groupsBy(own, 'archive'), ([archive, some]) => {
        const [mine, theirs] = [meanOf(some, measure), meanOf(byNames.get(archive) ?? [], measure)]
        return (mine ?? 0) / (theirs ?? 0)
      })
      return geometricInterval(Float64Array.from(ratios.filter((one) => one > 0)), { seed })
    }
    const [lookedAt, precision, impact] = MEASURES.map(ratio)
    return { start, knows, lookedAt, precision, impact }
  })
}
