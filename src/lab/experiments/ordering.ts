import { mixHash } from '#numeric/hash.ts'
import { bestFirst } from '#policy/best-first.ts'
import { topVisibility } from '#search/visibility.ts'
import type { Judgment } from '#workload/workload.ts'
import type { AnswerTruth } from '../answer-truth.ts'
import type { QuerySplit } from '../query-split.ts'
import { type OrderingMeasure, OrderingMeasures } from './ordering-measures.ts'
import type { OrderingPolicy, OrderingSession, OrderingTask } from './ordering-policies.ts'
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
}

export interface OrderingPoint extends OrderingMeasure {
  readonly fetched: number
  /** Of the pages not crawled at the start. */
  readonly fraction: number
}

export interface OrderingCurve {
  readonly points: readonly OrderingPoint[]
  /** Mean impact share over all fractions up to the last point's: the area under the curve. */
  readonly area: number
  /** Fetches of pages that could not be had: of a frontier, gone ones too. */
  readonly wasted: number
}

/** Where a curve is measured. */
export const FRACTIONS: readonly number[] = [
  0, 0.01, 0.02, 0.03, 0.05, 0.07, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1,
]

/**
 * One order of all pages not crawled, made once. Pages that the policy does not bid for, or that no
 * crawled page tells of, come last by lot.
 *
 * @paper PandeyOlston2008 §6.1
 */
export function runSample(setup: OrderingSetup): OrderingCurve {
  const { truth, setting, policy } = setup
  const { state, uncrawled } = setting
  const isUncrawled = new Set(uncrawled)
  const pageOf = (url: number) => truth.pageAt(state.frontier.urls.urlOf(url))
  const candidates = state.candidates().filter((url) => {
    const page = pageOf(url)
    return page !== undefined && isUncrawled.has(page)
  })
  const session = policy.begin(taskOf(setup))
  const known = orderedCandidates(session, candidates, uncrawled.length, setup.seed)
  const order = new Set(Array.from(known, (url) => pageOf(url) as number))
  for (const page of byLot(uncrawled, setup.seed)) order.add(page)

  const measures = measuresOf(setup)
  const shares = measures.impactShares()
  const isHeld = heldPages(truth, state)
  const points: OrderingPoint[] = []
  const stops = FRACTIONS.map((fraction) => Math.round(fraction * uncrawled.length))
  const measure = (fetched: number) => {
    if (stops.includes(fetched))
      points.push({ fetched, fraction: fetched / uncrawled.length, ...measures.of(isHeld) })
  }
  let [fetched, impact, area] = [0, 0, 0]
  measure(0)
  for (const page of order) {
    isHeld[page] = 1
    area += impact + shares[page] / 2
    impact += shares[page]
    measure(++fetched)
  }
  return { points, area: area / Math.max(1, uncrawled.length), wasted: 0 }
}

export interface FrontierOptions {
  /** A new plan is made after this share of the pages not crawled at the start. */
  readonly batchShare: number
  /** It ends when this share is fetched. */
  readonly until: number
}

/**
 * A crawl goes on from a small base, planned anew after every batch from what is known by then. What
 * nobody has linked to cannot be fetched, and a fetch of a page that is gone is a fetch all the same.
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
  const points: OrderingPoint[] = []
  let [fetched, wasted, area] = [0, 0, 0]
  const measure = () => {
    const measured = measures.of(heldPages(truth, state))
    points.push({ fetched, fraction: fetched / uncrawled.length, ...measured })
  }
  measure()
  for (let batch = 1; batch <= batches; batch++) {
    const budget = Math.round(batch * batchShare * uncrawled.length) - fetched
    const order = orderedCandidates(session, state.candidates(), budget, seed)
    const urls = Array.from(order.subarray(0, budget), (url) => state.frontier.urls.urlOf(url))
    const learnt = await state.fetch(urls)
    session.learn?.(learnt)
    wasted += learnt.filter(({ outcome }) => outcome.kind !== 'page').length
    fetched += urls.length
    const before = points.at(-1)!.impact
    measure()
    area += (before + points.at(-1)!.impact) / 2
    // Nothing is left that anybody has heard of: the rest of the curve is flat.
    if (urls.length < budget) {
      area += (batches - batch) * points.at(-1)!.impact
      break
    }
  }
  return { points, area: area / Math.max(1, batches), wasted }
}

function measuresOf({ truth, judgments, split, setting, k = 10 }: OrderingSetup): OrderingMeasures {
  return new OrderingMeasures(truth, judgments, split, setting.uncrawled, k)
}

function taskOf(setup: OrderingSetup): OrderingTask {
  const { truth, setting, split, seed, k = 10, needyShare = 1 } = setup
  const { state } = setting
  const impacts: Partial<Record<'training' | 'test', Float64Array>> = {}
  const impactsOf = (sample: 'training' | 'test'): Float64Array => {
    const weights = sample === 'training' ? split.trainingWeights : split.testWeights
    impacts[sample] ??= truth.impacts(weights, topVisibility(k))
    return impacts[sample]
  }
  return {
    state,
    training: split.training,
    seed,
    k,
    needyShare,
    trueImpact: (sample, url) => {
      const page = truth.pageAt(state.frontier.urls.urlOf(url))
      return page === undefined ? 0 : impactsOf(sample)[page]
    },
  }
}

/** All candidates: those bid for, best first, then the others by lot. */
function orderedCandidates(
  session: OrderingSession,
  candidates: Uint32Array,
  budget: number,
  seed: number,
): Uint32Array {
  const order = new Set(bestFirst(session.bid(candidates, budget), seed))
  for (const url of byLot(candidates, seed)) order.add(url)
  return Uint32Array.from(order)
}

function byLot(numbers: Uint32Array, seed: number): Uint32Array {
  return numbers.slice().sort((a, b) => mixHash(seed, a) - mixHash(seed, b))
}
