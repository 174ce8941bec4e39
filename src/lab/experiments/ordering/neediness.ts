import { type Random, seededRandom } from '#numeric/random.ts'
import type { TextIndex } from '#search/full-text/text-index.ts'
import {
  fitImprovability,
  priorImprovability,
  progressOf,
  type QueryProgress,
} from '#workload/improvability.ts'
import type { Query } from '#workload/workload.ts'
import { type QuerySplit, type SplitKind, splitQueries } from '../../judging/query-split.ts'
import { meanOf } from '../../report/rows.ts'
import { type OrderingSetup, runSample, sampleOrder } from './ordering.ts'

export type LearntImprovability = ReturnType<typeof compareHalves>

const BUCKETS = 10

/** Who learns what, and who is judged by what. */
interface NeedinessSplits {
  /** Improvability is learnt from its training queries, and compared with its test queries. */
  readonly learning: QuerySplit
  /** Sketches are made of its training queries, and its test queries judge. */
  readonly sketching: QuerySplit
}

/**
 * The samples of queries. `same` is the protocol of the paper: one half of the queries teaches who is improvable, and
 * of the other half, which also judges, the neediest get sketches. `half` and `log` are ours: other queries judge.
 *
 * @paper PandeyOlston2008 §6.4
 */
export function needinessSplits(
  queries: readonly Query[],
  kind: SplitKind,
  random: Random,
): NeedinessSplits {
  if (kind !== 'same') {
    const split = splitQueries(queries, kind, random)
    return { learning: split, sketching: split }
  }
  const learning = splitQueries(queries, 'half', random)
  const { testWeights } = learning
  const training = queries.filter((_, query) => testWeights[query] > 0)
  return { learning, sketching: { training, trainingWeights: testWeights, testWeights } }
}

/**
 * How well the new results that a query will get are told by its average top score, learnt from the
 * training queries and compared with the test queries. Fetches the first pages of the policy's order,
 * so the setting's state is used up.
 *
 * @paper PandeyOlston2008 §6.3 — the scores and gains are those of the product's own index.
 */
export async function learntImprovability(setup: OrderingSetup, budgetShare: number) {
  const { truth, setting, k = 10 } = setup
  const { crawl, uncrawled } = setting
  const topOf = (index: TextIndex) => {
    const statistics = index.statistics()
    return ({ text }: Query) => index.search(index.prepare(text, truth.scoring, statistics), k)
  }
  const before = truth.queries.map(topOf(crawl.index))
  const budget = Math.round(budgetShare * uncrawled.length)
  const urls = [...sampleOrder(setup)].slice(0, budget).map((page) => truth.urlOf(page))
  await crawl.visit(urls)
  const after = truth.queries.map(topOf(crawl.index))
  const progress = before.map((results, query) => progressOf(results, after[query], k))
  const { trainingWeights, testWeights } = withoutOverlap(setup)
  const training = progress.filter((_, query) => trainingWeights[query] > 0)
  const test = progress.filter((_, query) => testWeights[query] > 0)
  return { improvability: compareHalves(training, test, k), progress: training }
}

/** What is learnt from a query says nothing new about itself, so two logs are parted by query. */
function withoutOverlap({ truth, split, seed }: OrderingSetup): QuerySplit {
  const overlaps = split.trainingWeights.some((weight, i) => weight > 0 && split.testWeights[i] > 0)
  return overlaps ? splitQueries(truth.queries, 'half', seededRandom(seed)) : split
}

function compareHalves(
  training: readonly QueryProgress[],
  test: readonly QueryProgress[],
  k: number,
) {
  const scores = training.map(({ averageScore }) => averageScore)
  const learnt = fitImprovability(training, k) ?? priorImprovability(scores, k)
  const mean = meanOf(training, ({ newResults }) => newResults) ?? 0
  const errorOf = (predict: (averageScore: number) => number) =>
    meanOf(test, ({ averageScore, newResults }) => (predict(averageScore) - newResults) ** 2) ?? 0
  return {
    form: learnt.form,
    buckets: bucketsOf(training, test, learnt.of),
    /** Mean squared error on the test queries, and that of their training mean for all. */
    error: errorOf(learnt.of),
    errorOfMean: errorOf(() => mean),
  }
}

/** Test queries of like average score: new top results that the fit foretells, and that they and training queries got. */
function bucketsOf(
  training: readonly QueryProgress[],
  test: readonly QueryProgress[],
  predict: (averageScore: number) => number,
) {
  const sorted = [...test].sort((a, b) => a.averageScore - b.averageScore)
  let low = Number.NEGATIVE_INFINITY
  return Array.from({ length: BUCKETS }, (_, bucket) => {
    const from = Math.floor((bucket * sorted.length) / BUCKETS)
    const members = sorted.slice(from, Math.floor(((bucket + 1) * sorted.length) / BUCKETS))
    return { members, isLast: bucket === BUCKETS - 1 }
  }).flatMap(({ members, isLast }) => {
    if (members.length === 0) return []
    const high = isLast ? Number.POSITIVE_INFINITY : members[members.length - 1].averageScore
    const alike = training.filter(({ averageScore }) => averageScore > low && averageScore <= high)
    low = high
    return {
      queries: members.length,
      averageScore: meanOf(members, 'averageScore')!,
      predicted: meanOf(members, ({ averageScore }) => predict(averageScore))!,
      /** Null if there are none. */
      training: meanOf(alike, 'newResults') ?? null,
      test: meanOf(members, 'newResults')!,
    }
  })
}

/** What is left of a policy's impact when only some queries have sketches. */
export interface SketchRow {
  readonly share: number
  /** Of the pages not crawled. */
  readonly fraction: number
  readonly impact: number
}

/**
 * A policy's impact at every budget, for each share of the sketches. Policies of the paper choose the neediest by the
 * progress that the setup tells; ours takes the queries asked most.
 *
 * @paper PandeyOlston2008 §6.4
 */
export function impactBySketches(setup: OrderingSetup, shares: readonly number[]): SketchRow[] {
  return shares.flatMap((share) =>
    runSample({ ...setup, needyShare: share })
      .points.slice(1)
      .map(({ fraction, impact }) => ({ share, fraction, impact })),
  )
}
