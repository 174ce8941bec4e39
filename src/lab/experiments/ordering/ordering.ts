import { mixHash } from '#numeric/hash.ts'
import { type CalibrationGroup, calibrationGroups } from '#numeric/learning/calibration.ts'
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
  const isHeld = heldPages(truth, setting.state)
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
  const { truth, setting, policy } = setup
  const { state, uncrawled } = setting
  const isUncrawled = new Set(uncrawled)
  const pageOf = (url: number) => truth.pageAt(state.frontier.urls.urlOf(url))
  const candidates = state.candidates().filter((url) => isUncrawled.has(pageOf(url) ?? -1))
  if (candidates.length === 0) return { candidates, bids: undefined }
  const session = policy.begin(taskOf(setup))
  return { candidates, bids: session.bid(candidates, uncrawled.length) }
}

function orderOf({ truth, setting, seed }: OrderingSetup, asked: Asked): Iterable<number> {
  const { state, uncrawled } = setting
  const known = orderedCandidates(asked, seed)
  const order = new Set(
    Array.from(known, (url) => truth.pageAt(state.frontier.urls.urlOf(url)) as number),
  )
  for (const page of byLot(uncrawled, seed)) order.add(page)
  return order
}

interface FrontierOptions {
  /** A new plan is made after this share of the pages not crawled at the start. */
  readonly batchShare: number
  /** It ends when this share is fetched. */
  readonly until: number
}

/**
 * A crawl goes on from a small base, planned anew after every batch from what is known by then. What
 * nobody has linked to cannot be fetched, and a fetch of a page that is gone is a fetch all the same.
 * The setting's state is used up.
 */
export async function runFrontier(
  setup: OrderingSetup,
  { batchShare, until }: FrontierOptions,
): Promise<OrderingCurve> {
  const { truth, setting, policy, seed } = setup
  const { state, uncrawled } = setting
  const measures = measuresOf(setup)
  const session = policy.begin(taskOf(setup))
  const batches = Math.round(until / batchShare)
  const isHeld = heldPages(truth, state)
  const points: OrderingPoint[] = []
  let fetched = 0
  const measure = (fraction: number) => points.push({ fetched, fraction, ...measures.of(isHeld) })
  measure(0)
  for (let batch = 1; batch <= batches; batch++) {
    const fraction = Number((batch * batchShare).toFixed(6))
    const budget = Math.round(fraction * uncrawled.length) - fetched
    const candidates = state.candidates()
    const bids = candidates.length > 0 ? session.bid(candidates, budget) : undefined
    const order = orderedCandidates({ candidates, bids }, seed)
    const urls = Array.from(order.subarray(0, budget), (url) => state.frontier.urls.urlOf(url))
    const learnt = await state.crawl(urls)
    session.learn?.(learnt)
    for (const { outcome } of learnt) {
      const page = outcome.kind === 'page' ? truth.pageAt(outcome.url) : undefined
      if (page !== undefined) isHeld[page] = 1
    }
    fetched += urls.length
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
  const { state } = setting
  const { scoring } = truth
  const weightsOf = (sample: Sample) =>
    sample === 'test'
      ? split.testWeights
      : needyWeights(
          truth.queries,
          split.trainingWeights,
          needyShare,
          (asked) => averageScores(asked, state.index, scoring, k),
          (scores) => fitImprovability(progress, k) ?? priorImprovability(scores, k),
        )
  return {
    state,
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
      return (url) => worths[truth.pageAt(state.frontier.urls.urlOf(url)) ?? -1] ?? 0
    },
  }
}

/** All candidates: those bid for, best first, then the others in random order. */
function orderedCandidates({ candidates, bids }: Asked, seed: number): Uint32Array {
  const order = new Set(bids ? bestFirst(bids, seed) : [])
  for (const url of byLot(candidates, seed)) order.add(url)
  return Uint32Array.from(order)
}

function byLot(numbers: Uint32Array, seed: number): Uint32Array {
  return numbers.slice().sort((a, b) => mixHash(seed, a) - mixHash(seed, b))
}

/** What bids promised, against what came: quality a search. */
interface BidCalibration {
  /** Tenths of the candidates, by rising bid. */
  readonly groups: readonly CalibrationGroup[]
  readonly rankCorrelation: number
}

/** Compares bids of quality with what test searchers would lose without the page when all is crawled. */
function bidCalibration(
  { truth, setting, split }: Pick<OrderingSetup, 'truth' | 'setting' | 'split'>,
  { urls, gains }: Bids,
): BidCalibration {
  const came = truth.gains(split.testWeights)
  const pageOf = (url: number) => truth.pageAt(setting.state.frontier.urls.urlOf(url))
  const realised = Float64Array.from(urls, (url) => came[pageOf(url) ?? -1] ?? 0)
  return {
    groups: calibrationGroups(gains, realised),
    rankCorrelation: rankCorrelation(gains, realised),
  }
}
