import { RecordedWeb } from '#archive/recorded-web.ts'
import {
  type OrderingPolicy,
  orderingPolicyNamed,
  USUAL_ORDERINGS,
} from '#lab/experiments/ordering/ordering-policies.ts'
import { type Importance, importanceOf } from '#lab/experiments/ordering/ordering-settings.ts'
import { AnswerTruth } from '#lab/judging/answer-truth.ts'
import { QUERY_SPLITS } from '#lab/judging/query-split.ts'
import { type Random, seededRandom } from '#numeric/random.ts'
import { SCORINGS } from '#search/full-text/default-search.ts'
import type { Judgment } from '#workload/workload.ts'
import { readWithQueries, type ShelvedArchive, snapshotAt } from '../running/archive-shelf.ts'
import {
  namesFlag,
  type Settings,
  scoringFlag,
  shareFlag,
  snapshotFlag,
  wholeFlag,
} from '../running/flags.ts'
import { policiesFlag, policyWords } from '../running/own-policies.ts'

/** The flags of every experiment on the order of fetches; `isUsual` says who is compared if none is named. */
export function orderingFlags(isUsual: (policy: OrderingPolicy) => boolean = () => true) {
  return {
    policies: policiesFlag({
      usual: USUAL_ORDERINGS.filter((name) => isUsual(orderingPolicyNamed(name))),
      tasks: ['acquire'],
      words: policyWords('all'),
      check: orderingPolicyNamed,
    }),
    dataset: namesFlag(
      'numbers',
      'of the sample: 1, or 2 with its most important pages crawled already',
      ['1', '2'],
    ),
    queries: namesFlag(
      'kinds',
      `how training and test queries are drawn: ${QUERY_SPLITS.join(', ')} (default: half)`,
      QUERY_SPLITS,
      ['half'],
    ),
    splits: wholeFlag('n', 'how often pages and queries are drawn anew', [1], 2),
    k: wholeFlag(
      'n',
      'results a searcher looks at, for the measure and for policies of the paper',
      [1],
      10,
    ),
    rho: shareFlag(
      "of query-driven and hybrid-paper: the share of a query's n-grams that must be found",
      1,
      'any',
    ),
    g: wholeFlag('n', 'of the same: the words of the longest n-gram', [1], 3),
    scoring: scoringFlag,
    at: snapshotFlag,
  }
}

type OrderingSettings = Settings<ReturnType<typeof orderingFlags>>

/** What policies of the paper are told by the flags. */
export function paperFlags({ k, rho, g }: OrderingSettings) {
  return { k, matchShare: rho, longestNgram: g }
}

/** The factors that flags ask for. */
export function orderingCases({ dataset, splits, queries, policies }: OrderingSettings) {
  return {
    dataset: dataset.map((number) => (number === '1' ? 1 : 2) as 1 | 2),
    split: Array.from({ length: splits }, (_, split) => split + 1),
    queries,
    policy: policies.names,
  }
}

/** An archive with everything that orders on it are judged by. */
interface OrderingArchive {
  readonly truth: AnswerTruth
  readonly importance: Importance
  readonly judgments: readonly Judgment[]
}

export async function readOrderingArchive(
  shelved: ShelvedArchive,
  flags: OrderingSettings,
): Promise<OrderingArchive> {
  const { archive, workload } = await readWithQueries(shelved)
  const web = new RecordedWeb(archive, snapshotAt(shelved, flags.at), { sitemaps: 'none' })
  const truth = new AnswerTruth(web, workload.queries, SCORINGS[flags.scoring])
  return { truth, importance: importanceOf(truth), judgments: workload.judgments }
}

/** The seeds of one split: pages and queries are sampled apart, so that one does not move the other. */
export function randomOf(seed: number, split: number): { pages: Random; queries: Random } {
  const random = seededRandom(seed).fork(`split ${split}`)
  return { pages: random.fork('pages'), queries: random.fork('queries') }
}
