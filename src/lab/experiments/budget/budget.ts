import type { Archive } from '#archive/format/archive.ts'
import { type CalibrationGroup, calibrationGroups } from '#numeric/learning/calibration.ts'
import { seededRandom } from '#numeric/random.ts'
import { PURPOSES, type Purpose } from '#policy/bids.ts'
import { REGISTRY } from '#policy/registry/registry.ts'
import type { Query } from '#workload/workload.ts'
import { budgetPlannerNamed } from '../../budget/budget-policies.ts'
import { massDeletions, type Recovery, recoveries } from '../../budget/crawl-measures.ts'
import { type QueryKind, splitByKind } from '../../budget/query-kinds.ts'
import type { QuerySplit } from '../../judging/query-split.ts'
import { type CrawledWeek, crawlWeekly } from '../../weeks/weekly-crawl.ts'
import { WeeklyTruth } from '../../weeks/weekly-truth.ts'
import { weeksRun } from '../../weeks/weeks-run.ts'
import type { World } from '../../worlds/world-crawl.ts'

export interface BudgetRow {
  readonly policy: string
  /** Per cent of the pages that are held at the start. */
  readonly start: number
  /** Fetches a week, in per cent of the pages that are there. */
  readonly budget: number
  readonly queries: QueryKind
  readonly split: number
  readonly quality: number
  readonly shortfall: number
  readonly shares: Readonly<Record<Purpose, number>>
  /** Weeks from a page's birth until it was known, and held; null where no page came. */
  readonly discoveryDelay: number | null
  readonly holdingDelay: number | null
  /** New pages: rank correlation of estimated and true values; what was predicted, of what came. */
  readonly valueCorrelation: number | null
  readonly valueBias: number | null
  /** After mass deletions: weeks until most of what was lost was back; null if never. */
  readonly recovery: readonly Recovery[]
}

/** One week, mean over splits. */
export interface BudgetWeek extends Readonly<Record<Purpose, number>> {
  readonly policy: string
  readonly start: number
  readonly budget: number
  readonly queries: QueryKind
  readonly week: number
  readonly quality: number
  /** Null for policies without a price. */
  readonly price: number | null
}

/** New pages' values as they were estimated, against what their fetches gained; over all splits. */
export interface ValueCalibration {
  readonly policy: string
  readonly start: number
  readonly budget: number
  readonly queries: QueryKind
  /** From the lowest tenth of the estimates to the highest. */
  readonly groups: readonly CalibrationGroup[]
}

interface BudgetFindings {
  readonly rows: readonly BudgetRow[]
  /** Of the first kind of queries only: the report shows no others. */
  readonly weeks: readonly BudgetWeek[]
  readonly calibrations: readonly ValueCalibration[]
}

interface BudgetCase {
  readonly policy: string
  readonly start: number
  readonly percents: readonly number[]
  readonly kinds: readonly QueryKind[]
  readonly splits: number
}

/** Who asks and who judges, of one kind and split of the queries. */
interface Searchers extends QuerySplit {
  readonly truth: WeeklyTruth
}

/** One crawl, and how its estimates of new pages fared. */
interface BudgetCrawl {
  readonly weeks: readonly CrawledWeek[]
  /** By first fetch: what it was predicted to gain, before corrections, and what it gained. */
  readonly predicted: readonly number[]
  readonly realised: readonly number[]
  /** Rank correlation of all candidates' values with the true ones, by week looked at. */
  readonly correlations: readonly number[]
}

/** The first fetches of a crawl take a URL it knows at random: they favour no policy's order. */
const START_POLICY = 'random'

export interface BenchOptions extends Pick<World, 'registry' | 'sitemaps'> {
  readonly seed: number
}

/** An archive whose queries are divided, and whose pages policies crawl week by week with the real crawl. */
export class BudgetBench {
  readonly archive: Archive
  readonly queries: readonly Query[]
  /** By all queries, as often as they are asked. */
  readonly truth: WeeklyTruth
  readonly #options: BenchOptions
  readonly #searchers = new Map<string, Searchers | undefined>()

  /** All queries are asked. */
  constructor(archive: Archive, queries: readonly Query[], options: BenchOptions) {
    this.archive = archive
    this.queries = queries
    const weights = Float64Array.from(queries, ({ weight }) => weight)
    this.truth = WeeklyTruth.of(archive, queries, weights)
    this.#options = options
  }

  /** Runs one policy from one start at all budgets, for all kinds and splits of queries. */
  async run({ policy, start, percents, kinds, splits }: BudgetCase): Promise<BudgetFindings> {
    const deletions = massDeletions(this.truth)
    const rows: BudgetRow[] = []
    const weeks: BudgetWeek[] = []
    const calibrations: ValueCalibration[] = []
    for (const queries of kinds)
      for (const budget of percents) {
        const where = { policy, start, budget, queries }
        const crawls: BudgetCrawl[] = []
        for (let split = 1; split <= splits; split++) {
          const searchers = this.#searchersOf(queries, split)
          if (searchers === undefined) continue
          const crawl = await this.crawl(
            policy,
            start,
            budget,
            searchers,
            this.#options.seed + split,
          )
          crawls.push(crawl)
          const { quality, shares, weeksUnknown, weeksUnheld } = weeksRun(crawl.weeks, null)
          rows.push({
            ...{ ...where, split, quality, shortfall: 1 - quality, shares },
            ...{ discoveryDelay: weeksUnknown, holdingDelay: weeksUnheld },
            ...judgedValues(crawl),
            recovery: recoveries(deletions, crawl.weeks),
          })
        }
        const valued = crawls.filter(({ correlations }) => correlations.length > 0)
        if (valued.length > 0) {
          const predicted = valued.flatMap((crawl) => crawl.predicted)
          const realised = valued.flatMap((crawl) => crawl.realised)
          calibrations.push({ ...where, groups: calibrationGroups(predicted, realised) })
        }
        if (queries === kinds[0] && crawls.length > 0)
          for (const week of meanWeeks(crawls)) weeks.push({ ...where, ...week })
      }
    return { rows, weeks, calibrations }
  }

  /** One crawl; start and budget are per cent of the pages. */
  async crawl(
    policy: string,
    start: number,
    budget: number,
    { truth, training, trainingWeights }: Searchers,
    seed: number,
  ): Promise<BudgetCrawl> {
    const found = {
      predicted: [] as number[],
      realised: [] as number[],
      correlations: [] as number[],
    }
    const { registry = REGISTRY, sitemaps } = this.#options
    const planner = budgetPlannerNamed(policy, registry, (correlation) =>
      found.correlations.push(correlation),
    )
    const { weeks } = await crawlWeekly(planner, {
      ...{ archive: this.archive, truth, log: training, seen: trainingWeights },
      ...{ startPolicy: START_POLICY, startShare: start / 100, budgetShare: budget / 100 },
      ...{ seed, sitemaps },
      on: (fetches) => {
        for (const { prediction, realisedGain } of fetches) {
          if (prediction?.acquire === undefined || realisedGain === undefined) continue
          found.predicted.push(prediction.acquire)
          found.realised.push(realisedGain)
        }
      },
    })
    return { weeks, ...found }
  }

  /** The same for all policies; undefined where too few queries are of that kind. */
  #searchersOf(kind: QueryKind, split: number): Searchers | undefined {
    const key = `${kind} ${split}`
    if (!this.#searchers.has(key)) {
      const random = seededRandom(this.#options.seed).fork(`split ${split}`).fork(kind)
      const divided = splitByKind(this.queries, this.truth, kind, random)
      const searchers = divided && {
        ...divided,
        truth: this.truth.judgedBy(divided.testWeights),
      }
      this.#searchers.set(key, searchers)
    }
    return this.#searchers.get(key)
  }
}

function judgedValues({
  predicted,
  realised,
  correlations,
}: BudgetCrawl): Pick<BudgetRow, 'valueCorrelation' | 'valueBias'> {
  const came = sumOf(realised)
  // Other bidders for new pages do not think in quality.
  if (correlations.length === 0) return { valueCorrelation: null, valueBias: null }
  return {
    valueCorrelation: sumOf(correlations) / correlations.length,
    valueBias: came > 0 ? sumOf(predicted) / came : null,
  }
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0)
}

function meanWeeks(
  crawls: readonly BudgetCrawl[],
): Omit<BudgetWeek, 'policy' | 'start' | 'budget' | 'queries'>[] {
  const hasPrice = crawls[0].weeks.every(({ price }) => price !== undefined)
  return crawls[0].weeks.map(({ week }, i) => {
    const mean = (measure: (week: CrawledWeek) => number) =>
      rounded(sumOf(crawls.map(({ weeks }) => measure(weeks[i]))) / crawls.length)
    const shares = PURPOSES.map((task) => [
      task,
      mean(({ purposes, fetches }) => purposes[task] / Math.max(1, fetches)),
    ])
    return {
      week,
      quality: mean(({ quality }) => quality),
      ...(Object.fromEntries(shares) as Record<Purpose, number>),
      price: hasPrice ? mean(({ price }) => price!) : null,
    }
  })
}

/** As many digits as a picture can show. */
function rounded(value: number): number {
  return Number(value.toPrecision(5))
}
