import { InvalidArgumentError } from 'commander'
import { importanceAndImpact } from '#lab/experiments/ordering/importance-and-impact.ts'
import { runFrontier, runSample } from '#lab/experiments/ordering/ordering.ts'
import {
  frontierSetting,
  type OrderingSetting,
  sampleSetting,
} from '#lab/experiments/ordering/ordering-settings.ts'
import { splitQueries } from '#lab/judging/query-split.ts'
import {
  latestOnly,
  onePerArchive,
  pagesOf,
  type ShelvedArchive,
} from '../running/archive-shelf.ts'
import { defineExperiment, trialsOf } from '../running/define-experiment.ts'
import { chosen } from '../running/flags.ts'
import {
  addOrderingFlags,
  type OrderingFlags,
  orderingPlan,
  paperFlags,
  randomOf,
  readOrderingArchive,
} from './ordering-archive.ts'
import { curveOf, type OrderingFound, orderingTables, orderingViews } from './ordering-views.ts'

interface OrderingOptions extends OrderingFlags {
  readonly setting?: string
  readonly batch: number
  readonly until: number
}

const SETTINGS = ['sample', 'frontier', 'all'] as const
/** Of one order of a sample, and of one batch of a frontier. */
const SECONDS_A_PAGE = 2e-4
const SECONDS_A_PAGE_AND_PLAN = 2.5e-5

export const orderingExperiment = defineExperiment<OrderingOptions, OrderingFound>({
  name: 'ordering',
  summary:
    'what searchers gain when pages are fetched in the order of each policy (impact against share fetched)',
  example:
    'ordering --archive modelweb --setting sample,frontier --queries half --splits 2 \\\n    --out out.json --report report.html',
  addFlags: (command) =>
    addOrderingFlags(command)
      .option(
        '--setting <names>',
        `what is crawled at the start: ${SETTINGS.join(', ')} (default: all)`,
      )
      .option('--batch <share>', 'of a frontier: the share fetched between two plans', share, 0.01)
      .option('--until <share>', 'of a frontier: the share fetched in all', share, 0.3),
  plan: async (options, archives) => {
    const { seed, k, scoring, batch: batchShare, until } = options
    const plan = await orderingPlan(options)
    const named = chosen('--setting', options.setting, SETTINGS, ['all'])
    const has = (name: 'sample' | 'frontier') => named.includes(name) || named.includes('all')
    const read = onePerArchive((archive) => readOrderingArchive(archive, options))
    const samples = latestOnly<Promise<OrderingSetting>>()
    /** Every combination; those that share their pages in a row. */
    const curves = (archive: ShelvedArchive, place: CurvePlace) =>
      trialsOf(
        {
          archive: [archive],
          setting: [place.setting],
          dataset: [place.dataset],
          split: plan.splits,
          queries: plan.kinds,
          policy: plan.policies.map(({ name }) => name),
        },
        async ({ setting, dataset, split, queries, policy: name }) => {
          const known = await read(archive)
          const halves = splitQueries(known.truth.queries, queries, randomOf(seed, split).queries)
          const setup = {
            ...known,
            setting: await (dataset === null
              ? frontierSetting(known.truth, halves.training, seed + split) // used up by the run
              : samples([known, dataset, split], () => {
                  const { truth, importance } = known
                  return sampleSetting(truth, importance, dataset, randomOf(seed, split).pages)
                })),
            split: halves,
            policy: plan.policies.find((one) => one.name === name)!.policy,
            seed: seed + split,
            ...paperFlags(options),
          }
          const curve =
            setting === 'sample'
              ? runSample(setup)
              : await runFrontier(setup, { batchShare, until })
          return { tables: { rows: curve.points, curves: [curveOf(curve)] } }
        },
      )
    const cases = plan.policies.length * plan.kinds.length * plan.splits.length
    const perPage =
      (has('sample') ? plan.datasets.length * SECONDS_A_PAGE : 0) +
      (has('frontier') ? (until / batchShare) * SECONDS_A_PAGE_AND_PLAN : 0)
    return {
      asked: { k, scoring },
      seconds: perPage * pagesOf(archives) * cases,
      trials: archives.flatMap((archive) => [
        ...trialsOf({ archive: [archive] }, async () => {
          const { truth, importance } = await read(archive)
          return { tables: { importance: importanceAndImpact(truth, importance, k) } }
        }),
        ...(has('sample')
          ? plan.datasets.flatMap((dataset) => curves(archive, { setting: 'sample', dataset }))
          : []),
        ...(has('frontier') ? curves(archive, { setting: 'frontier', dataset: null }) : []),
      ]),
      derive: orderingTables,
    }
  },
  keys: ['archive', 'setting', 'dataset', 'queries', 'split', 'policy', 'fraction'],
  drawnOnly: ['early', 'calibrations', 'pages'],
  title: 'Ordering: what searchers gain from the next fetches',
  intro:
    'Some pages are taken for not crawled. Each policy orders them by what it learns from the training queries; the test queries tell how much of the impact (how often a page is among the first results when everything is crawled) has been fetched. sample 1: a random 30 % is not crawled. sample 2: its most important fifth by PageRank is crawled too. frontier: 10 % are crawled breadth-first, and batches follow, planned from what is known by then. Shares are of the pages not crawled at the start.',
  views: orderingViews,
})

/** Which pages are missing at the start; a frontier has no dataset. */
interface CurvePlace {
  readonly setting: 'sample' | 'frontier'
  readonly dataset: 1 | 2 | null
}

/** Reads a share above 0 and up to 1. */
function share(text: string): number {
  const value = Number(text)
  if (text.trim() === '' || !(value > 0 && value <= 1))
    throw new InvalidArgumentError('It must be a share above 0 and up to 1, such as 0.01.')
  return value
}
