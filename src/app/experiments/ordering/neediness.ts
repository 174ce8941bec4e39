import {
  impactBySketches,
  learntImprovability,
  needinessSplits,
  type SketchRow,
} from '#lab/experiments/ordering/neediness.ts'
import { orderingPolicyNamed } from '#lab/experiments/ordering/ordering-policies.ts'
import { sampleSetting } from '#lab/experiments/ordering/ordering-settings.ts'
import type { QuerySplit } from '#lab/judging/query-split.ts'
import { commaList } from '../../cli/settings/options.ts'
import { UsageError } from '../../text/usage-error.ts'
import { pagesOf } from '../running/archive-shelf.ts'
import { defineExperiment } from '../running/define-experiment.ts'
import { listFlag, shareFlag } from '../running/flags.ts'
import { type NeedinessFound, needinessViews, resultRows } from './neediness-views.ts'
import {
  orderingCases,
  orderingFlags,
  paperFlags,
  randomOf,
  readOrderingArchive,
} from './ordering-archive.ts'

/** Sketches kept, as shares of all. */
const SHARES = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1]
/** Of one order of a sample. */
const SECONDS_A_PAGE = 1.2e-4
/** Fetched to see which queries improve. */
const IMPROVING_BUDGET = 0.1

export const needinessExperiment = defineExperiment<NeedinessFound>()({
  name: 'neediness',
  summary: 'which queries fetching can improve, and how few of them an order needs to look at',
  example: 'neediness --archive modelweb --queries log --out out.json --report report.html',
  flags: {
    ...orderingFlags(({ usesQueries }) => usesQueries === true),
    shares: listFlag(
      'numbers',
      `sketches kept (default: ${SHARES.join(',')})`,
      (text = SHARES.join()) => sharesOf(text),
    ),
    few: shareFlag(
      'the share of the sketches whose whole curve is drawn beside that of all',
      0.05,
      'above 0',
    ),
  },
  check: ({ policies: { names, registry } }) => {
    const blind = names.find((name) => !orderingPolicyNamed(name, registry).usesQueries)
    if (blind) throw new UsageError(`--policies: ${blind} looks at no queries; leave it out`)
  },
  seconds: ({ policies, queries, splits, dataset, shares }, archives) => {
    const cases = policies.names.length * queries.length * splits * dataset.length
    return SECONDS_A_PAGE * pagesOf(archives) * cases * (shares.length + 1)
  },
  open: readOrderingArchive,
  trials: (settings, trialsOf) =>
    trialsOf(
      orderingCases(settings),
      async (archive, { dataset, split: nth, queries, policy: name }) => {
        const { truth, importance } = archive
        const { seed, policies } = settings
        const policy = orderingPolicyNamed(name, policies.registry)
        const random = () => randomOf(seed, nth)
        const splits = needinessSplits(truth.queries, queries, random().queries)
        const setupBy = async (split: QuerySplit) => ({
          ...archive,
          ...{ split, policy, seed: seed + nth, ...paperFlags(settings) },
          setting: await sampleSetting(truth, importance, dataset, random().pages),
        })
        const learning = await setupBy(splits.learning)
        const { improvability, progress } = await learntImprovability(learning, IMPROVING_BUDGET)
        const sketching = await setupBy(splits.sketching)
        const shares = sharesOf([...settings.shares, settings.few].join())
        const rows = impactBySketches({ ...sketching, progress }, shares)
        return {
          tables: {
            rows: rows.map((row) => ({ ...row, kept: keptOf(row, rows) })),
            improvability: [{ improvability }],
            buckets: improvability.buckets.map(({ queries: count, ...rest }, bucket) => ({
              ...{ bucket, count, ...rest },
            })),
          },
        }
      },
    ),
  derive: ({ rows, buckets }, { few }) => ({
    results: resultRows(buckets),
    budgets: rows
      .filter(({ share }) => share === 1 || share === few)
      .map((row) => ({
        ...row,
        sketches: row.share === 1 ? 'all sketches' : `${100 * few} % of them`,
      })),
  }),
  asked: ({ k, rho, g }) => ({ k, rho, g }),
  keys: ['archive', 'dataset', 'queries', 'split', 'policy', 'share', 'fraction'],
  drawnOnly: ['buckets', 'results', 'budgets'],
  title: 'Neediness: which queries fetching can improve',
  intro:
    'First, how many new top results queries get from fetching a tenth of the missing pages, by the average score of their answers before: learnt from the training queries, measured on the test queries. Then what is left of the impact when a policy may look at few queries only. Policies of the paper keep the neediest ones, by frequency times the improvability just learnt; impact keeps those asked most. With queries: same, as in the paper, sketches are made of the queries that judge; otherwise of the training queries.',
  views: needinessViews,
})

function sharesOf(text: string): number[] {
  const shares = commaList(text).map(Number)
  if (shares.length === 0 || !shares.every((share) => share > 0 && share <= 1))
    throw new UsageError(`--shares takes shares above 0 and up to 1, as in 0.05,1, not "${text}"`)
  // What is kept is told relative to all sketches.
  return [...new Set([...shares, 1])].sort((a, b) => a - b)
}

/** Impact relative to that with all sketches, at the same budget. */
function keptOf({ fraction, impact }: SketchRow, rows: readonly SketchRow[]): number | null {
  const whole = rows.find((row) => row.share === 1 && row.fraction === fraction)
  return whole && whole.impact > 0 ? impact / whole.impact : null
}
