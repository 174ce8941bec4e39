import { mixHash } from '#numeric/hash.ts'
import { rankCorrelation } from '#numeric/learning/rank-correlation.ts'
import type { Bids } from '#policy/bids.ts'
import { topVisibility } from '#search/gain/visibility.ts'
import {
  fitImprovability,
  priorImprovability,
  type QueryProgress,
} from '#workload/improvability.ts'
import type { Judgment } from '#workload/workload.ts'
import type { AnswerTruth } from '../../judging/answer-truth.ts'
import type { QuerySplit } from '../../judging/query-split.ts'
import { type ToldGroup, toldGroups } from '../../metrics/told-groups.ts'
import { bestFirst } from '../../selection/best-first.ts'
import { averageScores, needyWeights } from './needy-weights.ts'
import { type OrderingMeasure, OrderingMeasures } from './ordering-measures.ts'
import type { OrderingPolicy, OrderingTask, Sample } from './ordering-policies.ts'
import { heldPages, type OrderingSetting } from './ordering-settings.ts'

/** Who orders what, and by which queries that is judged. */
export interface OrderingSetup {
  readonly truth: AnswerTruth
  readonly judgments: readonly Judgment[]
  readonly setting: OrderingSetting
  readonly split: QuerySplit
  readonly policy: OrderingPolicy
  readonly seed: number
  /** Searchers look at so many results; 10 if left out. */
  readonly k?: number
  /** The share of the training queries that get a sketch; all if left out. */
  readonly needyShare?: number
  /** What fetching did for queries before; nothing is known if left out. */
  readonly progress?: readonly QueryProgress[]
  /** ρ and g of the paper's policies, as printed if left out. */
  readonly matchShare?: number
  readonly longestNgram?: number
}

export interface OrderingPoint extends OrderingMeasure {
  readonly fetched: number
  /** Of the pages not crawled at the start. */
  readonly fraction: number
}

export interface OrderingCurve {
  readonly points: readonly OrderingPoint[]
  /** Mean impact over all fractions up to the last point's: the area under the curve. */
  readonly area: number
  /** Only of a sample, and of policies that bid what they expect. */
  readonly calibration?: BidCalibration
}

/** Where the curve of a sample is measured. */
export const FRACTIONS: readonly number[] = [
  0, 0.01, 0.02, 0.03, 0.05, 0.07, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1,
]

/**
 * One order of all pages not crawled, made once. Pages that the policy does not bid for, or that no
 * crawled page tells of, come last in random order.
 *
 * @paper PandeyOlston2008 §6.2
 */
export function runSample(setup: OrderingSetup): OrderingCurve {
  const { truth, setting } = setup
  const measures = measuresOf(setup)
  const shares = measures.impactShares()
  const isHeld = heldPages(truth, setting.crawl)
  const size = setting.uncrawled.length
  const points: OrderingPoint[] = []
  const measure = (fetched: number) => {
    while (Math.round(FRACTIONS[points.length] * size) === fetched)
      points.push({ fetched, fraction: FRACTIONS[points.length], ...measures.of(isHeld) })
  }
  let [fetched, impact, area] = [0, 0, 0]
  measure(0)
  const asked = askedOnce(setup)
  for (const page of orderOf(setup, asked)) {
    isHeld[page] = 1
    area += impact + shares[page] / 2
    impact += shares[page]
    measure(++fetched)
  }
  const curve = { points, area: area / Math.max(1, size) }
  return setup.policy.bidsInQuality && asked.bids
    ? { ...curve, calibration: bidCalibration(setup, asked.bids) }
    : curve
}

/** The pages not crawled, in the order in which the policy would fetch them. */
export function sampleOrder(setup: OrderingSetup): Iterable<number> {
  return orderOf(setup, askedOnce(setup))
}

/** What the policy bids when it is asked but once; nothing if no page that is missing is known. */
interface Asked {
  readonly candidates: Uint32Array
  readonly bids: Bids | undefined
}

function askedOnce(setup: OrderingSetup): Asked {
  const { setting, policy, seed } = setup
  const { crawl, uncrawled } = setting
  const isUncrawled = new Set(uncrawled)
  const candidates = crawl.candidates().filter((url) => isUncrawled.has(pageOf(setup, url) ?? -1))
  if (candidates.length === 0) return { candidates, bids: undefined }
  const planner = policy.planner(taskOf(setup))
  const request = { now: crawl.now, seed, candidates, limits: { budget: uncrawled.length } }
  return { candidates, bids: planner.draft(request).acquire }
}

/** The page of the archive at a URL of the crawl. */
function pageOf({ truth, setting }: Pick<OrderingSetup, 'truth' | 'setting'>, url: number) {
  return truth.pageAt(setting.crawl.state.frontier.urls.urlOf(url))
}

/** Pages bid for, best first; then other known ones, and those that nobody knows, in random order. */
function orderOf(setup: OrderingSetup, { candidates, bids }: Asked): Iterable<number> {
  const { setting, seed } = setup
  const known = [...(bids ? bestFirst(bids, seed) : []), ...shuffled(candidates, seed)]
  const pages = known.map((url) => pageOf(setup, url) as number)
  return new Set([...pages, ...shuffled(setting.uncrawled, seed)])
}

interface FrontierOptions {
  /** A new plan is made after this share of the pages not crawled at the start. */
  readonly batchShare: number
  /** It ends when this share is fetched. */
  readonly until: number
}

/**
 * The real crawl goes on from a small base, planned anew after every batch from what is known by then. What
 * nobody has linked to cannot be fetched, and a fetch of a page that is gone is a fetch all the same.
 * The setting's crawl is used up.
 */
export async function runFrontier(
  setup: OrderingSetup,
  { batchShare, until }: FrontierOptions,
): Promise<OrderingCurve> {
  const { truth, setting, policy } = setup
  const { crawl, uncrawled } = setting
  const measures = measuresOf(setup)
  const planner = policy.planner(taskOf(setup))
  const batches = Math.round(until / batchShare)
  const spentBefore = crawl.state.spent
  const points: OrderingPoint[] = []
  const measure = (fraction: number) => {
    const fetched = crawl.state.spent - spentBefore
    points.push({ fetched, fraction, ...measures.of(heldPages(truth, crawl)) })
  }
  measure(0)
  for (let batch = 1; batch <= batches; batch++) {
    const fraction = Number((batch * batchShare).toFixed(6))
    const budget = Math.round(fraction * uncrawled.length) - points[batch - 1].fetched
    if (budget > 0) await crawl.spend(planner, budget, { batch: budget })
    measure(fraction)
  }
  const means = points.slice(1).map(({ impact }, i) => (impact + points[i].impact) / 2)
  return { points, area: means.reduce((sum, mean) => sum + mean, 0) / batches }
}

function measuresOf({ truth, judgments, split, setting, k = 10 }: OrderingSetup): OrderingMeasures {
  return new OrderingMeasures(truth, judgments, split, setting.uncrawled, k)
}

function taskOf(setup: OrderingSetup): OrderingTask {
  const { truth, setting, split, seed, k = 10, needyShare = 1, progress = [] } = setup
  const { matchShare, longestNgram } = setup
  const { crawl } = setting
  const { scoring } = truth
  const weightsOf = (sample: Sample) =>
    sample === 'test'
      ? split.testWeights
      : needyWeights(
          truth.queries,
          split.trainingWeights,
          needyShare,
          (asked) => averageScores(asked, crawl.index, scoring, k),
          (scores) => fitImprovability(progress, k) ?? priorImprovability(scores, k),
        )
  return {
    crawl,
    training: split.training,
    seed,
    k,
    scoring,
    needyShare,
    progress,
    matchShare,
    longestNgram,
    trueWorth: (sample, measure) => {
      const weights = weightsOf(sample)
      const worths =
        measure === 'impact'
          ? truth.impacts(weights, topVisibility(k))
          : truth.contributions(weights)
      return (url) => worths[pageOf(setup, url) ?? -1] ?? 0
    },
  }
}

function shuffled(numbers: Uint32Array, seed: number): Uint32Array {
  return numbers.slice().sort((a, b) => mixHash(seed, a) - mixHash(seed, b))
}

/** What bids promised, against what came: quality a search. */
interface BidCalibration {
  /** Tenths of the candidates, by rising bid. */
  readonly groups: readonly ToldGroup[]
  readonly rankCorrelation: number
}

/** Compares bids of quality with what test searchers would lose without the page when all is crawled. */
function bidCalibration(
  setup: Pick<OrderingSetup, 'truth' | 'setting' | 'split'>,
  { urls, gains }: Bids,
): BidCalibration {
  const came = setup.truth.gains(setup.split.testWeights)
  const realised = Float64Array.from(urls, (url) => came[pageOf(setup, url) ?? -1] ?? 0)
  return {
    groups: toldGroups(gains, realised),
    rankCorrelation: rankCorrelation(gains, realised),
  }
}
