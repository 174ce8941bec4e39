/** What happened to one query in one cycle. */
export interface QueryProgress {
  /** Average score of its top results before, zeros where there were fewer. */
  readonly averageScore: number
  /** How many of its top results after the cycle were not among them before. */
  readonly newResults: number
}

/** How many new top results a query may expect of a cycle, from how good its answers are. */
export interface Improvability {
  readonly of: (averageScore: number) => number
  /** Where it comes from: `prior` before anything could be learnt. */
  readonly form: 'prior' | 'log-linear in the score' | 'linear in the log of the score'
  /** Cycles of queries it was learnt from. */
  readonly observations: number
}

export const TOP_RESULTS = 10
const BUCKETS = 10
const LEAST_OBSERVATIONS = 50
/** Less than this is rounding. */
const TINY = 1e-9

/**
 * Average score of the best K results; missing ones count as zero.
 *
 * @paper PandeyOlston2008 §5.2 — they do not say what a query with fewer than K results gets.
 */
export function averageTopScore(scores: readonly number[], k = TOP_RESULTS): number {
  return scores.slice(0, k).reduce((sum, score) => sum + score, 0) / k
}

/**
 * What a cycle did for a query, from its top results before and after; best first.
 *
 * @paper PandeyOlston2008 §6.3 — "number of new top K results".
 */
export function progressOf(
  before: readonly TopResult[],
  after: readonly TopResult[],
  k = TOP_RESULTS,
): QueryProgress {
  const known = new Set(before.slice(0, k).map(({ url }) => url))
  return {
    averageScore: averageTopScore(
      before.map(({ score }) => score),
      k,
    ),
    newResults: after.slice(0, k).filter(({ url }) => !known.has(url)).length,
  }
}

/** A page that answers a query. */
export interface TopResult {
  readonly url: number
  readonly score: number
}

/**
 * The prior, before any cycle was seen: a query without answers may fill all K places, one with
 * answers as good as the workload's average 1/e of them, and so on.
 */
export function priorImprovability(
  averageScores: readonly number[],
  k = TOP_RESULTS,
): Improvability {
  const positive = averageScores.filter((score) => score > 0)
  const mean = positive.reduce((sum, score) => sum + score, 0) / positive.length
  const scale = positive.length > 0 ? mean : 1
  return { of: (score) => k * Math.exp(-score / scale), form: 'prior', observations: 0 }
}

/**
 * Learns improvability from past cycles; undefined if they are too few or all alike.
 *
 * @paper PandeyOlston2008 §5.2, §6.3 — ln(improvement + ε) on the average score over buckets, weighted by
 * their sizes; beside it improvement on ln(score + ε), and the lower held-out error wins.
 */
export function fitImprovability(
  progress: readonly QueryProgress[],
  k = TOP_RESULTS,
): Improvability | undefined {
  if (progress.length < LEAST_OBSERVATIONS) return undefined
  if (progress.every(({ newResults }) => newResults === 0)) return undefined
  const training = progress.filter((_, i) => i % 2 === 0)
  const heldOut = progress.filter((_, i) => i % 2 === 1)
  const learnFrom = (learn: Learner, some: readonly QueryProgress[]) => {
    const of = learn(some)
    return (averageScore: number) => Math.min(Math.max(of(averageScore), 0), k)
  }
  const [best] = FORMS.map(({ form, learn }) => ({
    form,
    learn,
    error: errorOf(learnFrom(learn, training), heldOut),
  }))
    .filter(({ error }) => Number.isFinite(error))
    .sort((a, b) => a.error - b.error)
  if (!best) return undefined
  return { of: learnFrom(best.learn, progress), form: best.form, observations: progress.length }
}

type Learner = (progress: readonly QueryProgress[]) => (averageScore: number) => number

const FORMS: readonly { form: Improvability['form']; learn: Learner }[] = [
  { form: 'log-linear in the score', learn: fitLogLinear },
  { form: 'linear in the log of the score', learn: fitLinearInLog },
]

interface Bucket {
  readonly score: number
  readonly improvement: number
  readonly count: number
}

function fitLogLinear(progress: readonly QueryProgress[]): (averageScore: number) => number {
  const buckets = bucketsOf(progress)
  const least = halfOfSmallest(buckets.map(({ improvement }) => improvement))
  const { intercept, slope } = weightedLine(
    buckets.map(({ score, improvement, count }) => [score, Math.log(improvement + least), count]),
  )
  return (score) => Math.exp(intercept + slope * score) - least
}

function fitLinearInLog(progress: readonly QueryProgress[]): (averageScore: number) => number {
  const buckets = bucketsOf(progress)
  const least = halfOfSmallest(buckets.map(({ score }) => score))
  const { intercept, slope } = weightedLine(
    buckets.map(({ score, improvement, count }) => [Math.log(score + least), improvement, count]),
  )
  return (score) => intercept + slope * Math.log(score + least)
}

/** Buckets of queries with similar average scores, about equally many in each. */
function bucketsOf(progress: readonly QueryProgress[]): Bucket[] {
  const sorted = [...progress].sort((a, b) => a.averageScore - b.averageScore)
  const size = Math.max(1, Math.ceil(sorted.length / BUCKETS))
  const buckets: Bucket[] = []
  for (let start = 0; start < sorted.length; ) {
    let end = Math.min(start + size, sorted.length)
    // Equal scores stay together: queries without answers make one bucket, however many.
    while (end < sorted.length && sorted[end].averageScore === sorted[end - 1].averageScore) end++
    const members = sorted.slice(start, end)
    const mean = (of: (one: QueryProgress) => number) =>
      members.reduce((sum, one) => sum + of(one), 0) / members.length
    buckets.push({
      score: mean(({ averageScore }) => averageScore),
      improvement: mean(({ newResults }) => newResults),
      count: members.length,
    })
    start = end
  }
  return buckets
}

function halfOfSmallest(values: readonly number[]): number {
  const positive = values.filter((value) => value > TINY)
  return positive.length > 0 ? Math.min(...positive) / 2 : 1
}

/** Least squares. It falls where badly answered queries gain most, and rises where nothing more matches those. */
function weightedLine(points: readonly (readonly [x: number, y: number, weight: number])[]): {
  intercept: number
  slope: number
} {
  const total = points.reduce((sum, [, , weight]) => sum + weight, 0)
  const meanX = points.reduce((sum, [x, , weight]) => sum + weight * x, 0) / total
  const meanY = points.reduce((sum, [, y, weight]) => sum + weight * y, 0) / total
  let covariance = 0
  let variance = 0
  for (const [x, y, weight] of points) {
    covariance += weight * (x - meanX) * (y - meanY)
    variance += weight * (x - meanX) ** 2
  }
  const slope = variance > TINY ? covariance / variance : 0
  return { intercept: meanY - slope * meanX, slope }
}

function errorOf(of: (score: number) => number, heldOut: readonly QueryProgress[]): number {
  return heldOut.reduce(
    (sum, { averageScore, newResults }) => sum + (of(averageScore) - newResults) ** 2,
    0,
  )
}

/** Improvability is learnt from what so many plans did: earlier ones tell of a crawl that was another. */
const PLANS_REMEMBERED = 10

/** A query with its top results, best first. */
export interface AnsweredText {
  readonly text: string
  readonly top: readonly TopResult[]
}

/** What fetching did for queries from plan to plan, so that improvability can be learnt. */
export class PastProgress {
  readonly #k: number
  #tops = new Map<string, readonly TopResult[]>()
  #plans: (readonly QueryProgress[])[] = []

  /** `earlier` was seen elsewhere, and is never forgotten. */
  constructor(k: number, earlier: readonly QueryProgress[] = []) {
    this.#k = k
    this.#plans.push(earlier)
  }

  /** Takes up how queries are answered at a plan, and tells what the plans before did for them. */
  at(queries: readonly AnsweredText[]): readonly QueryProgress[] {
    const seen = queries.flatMap(({ text, top }) => {
      const before = this.#tops.get(text)
      return before ? [progressOf(before, top, this.#k)] : []
    })
    this.#tops = new Map(queries.map(({ text, top }) => [text, top]))
    const [earlier, ...plans] = this.#plans
    this.#plans = [earlier, ...[...plans, seen].slice(-PLANS_REMEMBERED)]
    return this.#plans.flat()
  }
}
