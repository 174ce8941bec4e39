import { importanceAndImpact } from '#lab/experiments/ordering/importance-and-impact.ts'
import { runFrontier, runSample } from '#lab/experiments/ordering/ordering.ts'
import { orderingPolicyNamed } from '#lab/experiments/ordering/ordering-policies.ts'
import {
  frontierSetting,
  type OrderingSetting,
  sampleSetting,
} from '#lab/experiments/ordering/ordering-settings.ts'
import { splitQueries } from '#lab/judging/query-split.ts'
import { latestOnly, pagesOf } from '../running/archive-shelf.ts'
import { defineExperiment } from '../running/define-experiment.ts'
import { namesFlag, shareFlag } from '../running/flags.ts'
import {
  orderingCases,
  orderingFlags,
  paperFlags,
  randomOf,
  readOrderingArchive,
} from './ordering-archive.ts'
import { curveOf, type OrderingFound, orderingTables, orderingViews } from './ordering-views.ts'

const SETTINGS = ['sample', 'frontier', 'all'] as const
/** Of one order of a sample, and of one batch of a frontier. */
const SECONDS_A_PAGE = 2e-4
const SECONDS_A_PAGE_AND_PLAN = 2.5e-5

const has = (named: readonly string[], setting: 'sample' | 'frontier') =>
  named.includes(setting) || named.includes('all')

export const orderingExperiment = defineExperiment<OrderingFound>()({
  name: 'ordering',
  summary:
    'what searchers gain when pages are fetched in the order of each policy (impact against share fetched)',
  example:
    'ordering --archive modelweb --setting sample,frontier --queries half --splits 2 \\\n    --out out.json --report report.html',
  flags: {
    ...orderingFlags(),
    setting: namesFlag(
      'names',
      `what is crawled at the start: ${SETTINGS.join(', ')} (default: all)`,
      SETTINGS,
      ['all'],
    ),
    batch: shareFlag('of a frontier: the share fetched between two plans', 0.01, 'above 0'),
    until: shareFlag('of a frontier: the share fetched in all', 0.3, 'above 0'),
  },
  seconds: ({ policies, queries, splits, dataset, setting, until, batch }, archives) => {
    const cases = policies.names.length * queries.length * splits
    const perPage =
      (has(setting, 'sample') ? dataset.length * SECONDS_A_PAGE : 0) +
      (has(setting, 'frontier') ? (until / batch) * SECONDS_A_PAGE_AND_PLAN : 0)
    return perPage * pagesOf(archives) * cases
  },
  open: async (shelved, settings) => {
    const archive = await readOrderingArchive(shelved, settings)
    return { archive, samples: latestOnly<Promise<OrderingSetting>>() }
  },
  trials: (settings, trialsOf) => {
    const { seed, k, batch: batchShare, until, policies } = settings
    const { dataset, ...cases } = orderingCases(settings)
    // Those that share their pages in a row; a frontier has no dataset.
    const datasets = [
      ...(has(settings.setting, 'sample') ? dataset : []),
      ...(has(settings.setting, 'frontier') ? [null] : []),
    ]
    return [
      ...trialsOf({}, ({ archive: { truth, importance } }) => ({
        tables: { importance: importanceAndImpact(truth, importance, k) },
      })),
      ...datasets.flatMap((dataset) =>
        trialsOf(
          {
            setting: [dataset === null ? 'frontier' : 'sample'],
            dataset: [dataset],
            ...cases,
          },
          async ({ archive, samples }, { split, queries, policy }) => {
            const { truth, importance } = archive
            const { pages, queries: random } = randomOf(seed, split)
            const halves = splitQueries(truth.queries, queries, random)
            const setup = {
              ...archive,
              setting: await (dataset === null
                ? frontierSetting(truth, halves.training, seed + split) // used up by the run
                : samples([dataset, split], () =>
                    sampleSetting(truth, importance, dataset, pages),
                  )),
              split: halves,
              policy: orderingPolicyNamed(policy, policies.registry),
              seed: seed + split,
              ...paperFlags(settings),
            }
            const curve =
              dataset === null ? await runFrontier(setup, { batchShare, until }) : runSample(setup)
            return { tables: { rows: curve.points, curves: [curveOf(curve)] } }
          },
        ),
      ),
    ]
  },
  derive: orderingTables,
  asked: ({ k, rho, g, scoring }) => ({ k, rho, g, scoring }),
  keys: ['archive', 'setting', 'dataset', 'queries', 'split', 'policy', 'fraction'],
  drawnOnly: ['pages'],
  title: 'Ordering: what searchers gain from the next fetches',
  intro:
    'Some pages are taken for not crawled. Each policy orders them by what it learns from the training queries; the test queries tell how much of the impact (how often a page is among the first results when everything is crawled) has been fetched. sample 1: a random 30 % is not crawled. sample 2: its most important fifth by PageRank is crawled too. frontier: 10 % are crawled breadth-first, and batches follow, planned from what is known by then. Shares are of the pages not crawled at the start.',
  views: orderingViews,
})
