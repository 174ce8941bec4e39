import { type CalibrationGroup, calibrationGroups } from '#numeric/learning/calibration.ts'
import { seededRandom } from '#numeric/random.ts'
import type { Purpose } from '#policy/bids.ts'
import type { AcquisitionModel } from '#policy/facts/acquisition-facts.ts'
import { REGISTRY, type Registry } from '#policy/registry/registry.ts'
import {
  birthDelays,
  massDeletions,
  meanQuality,
  recoveries,
  sharesByTask,
} from '../../budget/crawl-measures.ts'
import { learnAtStart } from '../../budget/page-values.ts'
import { type QueryKind, type QueryShares, queryShares } from '../../budget/query-shares.ts'
import { type CrawlWeek, type EstimatedValues, simulateCrawl } from '../../budget/simulate-crawl.ts'
import { SimulatedCrawler } from '../../budget/simulated-crawler.ts'
import { startingPages } from '../../budget/starting-pages.ts'
import type { BudgetWorld } from '../../budget/world.ts'

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
  readonly recovery: readonly {
    readonly week: number
    readonly lost: number
    readonly weeks: number | null
    /** Mean over the eight weeks from the deletion on. */
    readonly quality: number
  }[]
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

export interface BudgetFindings {
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

/** How a crawl begins; the same for all policies. */
interface Beginning {
  readonly shares: QueryShares
  readonly startingPages: readonly number[]
  readonly model: AcquisitionModel | undefined
}

/** A world with what the policies tried on it have in common: queries, starting pages, and what those teach. */
export class BudgetBench {
  readonly world: BudgetWorld
  readonly #seed: number
  readonly #registry: Registry
  readonly #beginnings = new Map<string, Beginning | undefined>()

  /** Policies may name bidders of the registry; ours if left out. */
  constructor(world: BudgetWorld, seed: number, registry: Registry = REGISTRY) {
    this.world = world
    this.#seed = seed
    this.#registry = registry
  }

  /** Runs one policy from one start at all budgets, for all kinds and splits of queries. */
  run({ policy, start, percents, kinds, splits }: BudgetCase): BudgetFindings {
    const deletions = massDeletions(this.world)
    const rows: BudgetRow[] = []
    const weeks: BudgetWeek[] = []
    const calibrations: ValueCalibration[] = []
    for (const queries of kinds)
      for (const budget of percents) {
        const runs: (readonly CrawlWeek[])[] = []
        const valued = { predicted: [] as number[], realised: [] as number[] }
        for (let split = 1; split <= splits; split++) {
          const beginning = this.#beginning(queries, start, split)
          if (beginning === undefined) continue
          const named = { policy, registry: this.#registry }
          const setup = { ...named, percent: budget, seed: this.#seed + split, ...beginning }
          const crawl = simulateCrawl(this.world, setup)
          runs.push(crawl.weeks)
          if (crawl.values.correlations.length > 0) {
            valued.predicted.push(...crawl.values.predicted)
            valued.realised.push(...crawl.values.realised)
          }
          const quality = meanQuality(crawl.weeks)
          const delays = birthDelays(this.world, crawl)
          rows.push({
            ...{ policy, start, budget, queries, split, quality, shortfall: 1 - quality },
            shares: sharesByTask(crawl.weeks),
            discoveryDelay: delays.discoveryDelay ?? null,
            holdingDelay: delays.holdingDelay ?? null,
            ...judgedValues(crawl.values),
            recovery: recoveries(deletions, crawl.weeks).map((one) => ({
              ...one,
              weeks: one.weeks ?? null,
            })),
          })
        }
        if (valued.predicted.length > 0) {
          const groups = calibrationGroups(valued.predicted, valued.realised)
          calibrations.push({ policy, start, budget, queries, groups })
        }
        if (queries === kinds[0] && runs.length > 0)
          for (const week of meanWeeks(runs))
            weeks.push({ policy, start, budget, queries, ...week })
      }
    return { rows, weeks, calibrations }
  }

  #beginning(kind: QueryKind, start: number, split: number): Beginning | undefined {
    const key = `${kind} ${start} ${split}`
    if (!this.#beginnings.has(key)) this.#beginnings.set(key, this.#begin(kind, start, split))
    return this.#beginnings.get(key)
  }

  #begin(kind: QueryKind, start: number, split: number): Beginning | undefined {
    const random = seededRandom(this.#seed).fork(`split ${split}`)
    const shares = queryShares(this.world, kind, random.fork(kind))
    if (shares === undefined) return undefined
    const first = startingPages(this.world, start / 100, random.fork('start'))
    const crawler = new SimulatedCrawler(this.world, shares)
    for (const page of first) crawler.visitPage(page, 0)
    const model = learnAtStart(crawler, shares, this.#seed + split)
    return { shares, startingPages: first, model }
  }
}

function judgedValues({
  predicted,
  realised,
  correlations,
}: EstimatedValues): Pick<BudgetRow, 'valueCorrelation' | 'valueBias'> {
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
  runs: readonly (readonly CrawlWeek[])[],
): Omit<BudgetWeek, 'policy' | 'start' | 'budget' | 'queries'>[] {
  const hasPrice = runs[0].every(({ price }) => price !== undefined)
  return runs[0].map((_, i) => {
    const mean = (measure: (week: CrawlWeek) => number) =>
      rounded(runs.reduce((sum, run) => sum + measure(run[i]), 0) / runs.length)
    const share = (task: Purpose) =>
      mean(({ fetches }) => {
        const all = fetches.acquire + fetches.refresh + fetches.discover
        return all > 0 ? fetches[task] / all : 0
      })
    return {
      week: i + 1,
      quality: mean(({ before, after }) => (before + after) / 2),
      acquire: share('acquire'),
      refresh: share('refresh'),
      discover: share('discover'),
      price: hasPrice ? mean(({ price }) => price!) : null,
    }
  })
}

/** As many digits as a picture can show. */
function rounded(value: number): number {
  return Number(value.toPrecision(5))
}
