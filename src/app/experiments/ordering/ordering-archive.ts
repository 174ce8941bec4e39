import { type Command, InvalidArgumentError } from 'commander'
import { RecordedWeb } from '#archive/recorded-web.ts'
import {
  type OrderingPolicy,
  orderingPolicyNamed,
  USUAL_ORDERINGS,
} from '#lab/experiments/ordering/ordering-policies.ts'
import { type Importance, importanceOf } from '#lab/experiments/ordering/ordering-settings.ts'
import { AnswerTruth } from '#lab/judging/answer-truth.ts'
import { QUERY_SPLITS, type SplitKind } from '#lab/judging/query-split.ts'
import { type Random, seededRandom } from '#numeric/random.ts'
import { SCORINGS } from '#search/full-text/default-search.ts'
import type { Judgment } from '#workload/workload.ts'
import { wholeNumber } from '../../cli/settings/options.ts'
import { readWithQueries, type ShelvedArchive, snapshotAt } from '../running/archive-shelf.ts'
import type { CommonOptions } from '../running/experiment.ts'
import { chosen, scoringFlag } from '../running/flags.ts'
import { addPolicyFlags, comparedPolicies, type PolicyFlags } from '../running/own-policies.ts'

/** The flags of every experiment on the order of fetches. */
export interface OrderingFlags extends CommonOptions, PolicyFlags {
  readonly dataset?: string
  readonly queries?: string
  readonly splits: number
  readonly k: number
  readonly rho: number
  readonly g: number
  readonly scoring: string
  readonly at?: number
}

export function addOrderingFlags(command: Command): Command {
  return addPolicyFlags(command, 'all')
    .option(
      '--dataset <numbers>',
      'of the sample: 1, or 2 with its most important pages crawled already',
    )
    .option(
      '--queries <kinds>',
      `how training and test queries are drawn: ${QUERY_SPLITS.join(', ')} (default: half)`,
    )
    .option('--splits <n>', 'how often pages and queries are drawn anew', wholeNumber(1), 2)
    .option(
      '--k <n>',
      'results a searcher looks at, for the measure and for policies of the paper',
      wholeNumber(1),
      10,
    )
    .option(
      '--rho <share>',
      "of query-driven and hybrid-paper: the share of a query's n-grams that must be found",
      shareOrNone,
      1,
    )
    .option('--g <n>', 'of the same: the words of the longest n-gram', wholeNumber(1), 3)
    .addOption(scoringFlag())
    .option('--at <snapshot>', 'which snapshot (default: the last)', wholeNumber(0))
}

/** What policies of the paper are told by the flags. */
export function paperFlags({ k, rho, g }: OrderingFlags) {
  return { k, matchShare: rho, longestNgram: g }
}

/** Reads a share from 0 to 1. */
function shareOrNone(text: string): number {
  const value = Number(text)
  if (text.trim() === '' || !(value >= 0 && value <= 1))
    throw new InvalidArgumentError('It must be a share from 0 to 1, such as 0.5.')
  return value
}

/** What the flags ask for, checked. */
interface OrderingPlan {
  readonly policies: readonly { readonly name: string; readonly policy: OrderingPolicy }[]
  readonly datasets: readonly (1 | 2)[]
  readonly kinds: readonly SplitKind[]
  readonly splits: readonly number[]
}

/** Reads the flags; if they name no policies, all of ours that `isDefault` holds for. The user's own come last. */
export async function orderingPlan(
  flags: OrderingFlags,
  isDefault: (policy: OrderingPolicy) => boolean = () => true,
): Promise<OrderingPlan> {
  const usual = USUAL_ORDERINGS.filter((name) => isDefault(orderingPolicyNamed(name)))
  const { registry, names } = await comparedPolicies(flags, usual, { tasks: ['acquire'] })
  return {
    policies: names.map((name) => ({ name, policy: orderingPolicyNamed(name, registry) })),
    datasets: chosen('--dataset', flags.dataset, ['1', '2']).map((n) => (n === '1' ? 1 : 2)),
    kinds: chosen('--queries', flags.queries, QUERY_SPLITS, ['half']),
    splits: Array.from({ length: flags.splits }, (_, split) => split + 1),
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
  flags: OrderingFlags,
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
