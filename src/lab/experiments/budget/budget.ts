import type { Archive } from '#archive/format/archive.ts'
import { seededRandom } from '#numeric/random.ts'
import type { Purpose } from '#policy/bids.ts'
import { REGISTRY } from '#policy/registry/registry.ts'
import type { Query } from '#workload/workload.ts'
import { budgetPlannerNamed } from '../../budget/budget-policies.ts'
import { massDeletions, type Recovery, recoveries } from '../../budget/crawl-measures.ts'
import { type QueryKind, splitByKind } from '../../budget/query-kinds.ts'
import type { QuerySplit } from '../../judging/query-split.ts'
import { type ToldGroup, toldGroups } from '../../metrics/told-groups.ts'
import { meanOf, sumOf } from '../../report/rows.ts'
import { type CrawledWeek, crawlWeekly } from '../../weeks/weekly-crawl.ts'
import { WeeklyTruth } from '../../weeks/weekly-truth.ts'
import { weeksRun } from '../../weeks/weeks-run.ts'
import type { World } from '../../worlds/world-crawl.ts'

/** What tells crawls of an archive apart. */
export interface BudgetCase {
  readonly policy: string
  /** Per cent of the pages that are fetched at the start. */
  readonly start: number
  /** Fetches a week, in per cent of the pages that are there. */
  readonly budget: number
  readonly queries: QueryKind
  readonly split: number
}

type BudgetCrawl = Awaited<ReturnType<BudgetBench['crawl']>>
export type BudgetRow = BudgetCase & BudgetCrawl['rows'][number]
export type BudgetWeek = BudgetCase & ReturnType<typeof weekOf>

/** By first fetch of a crawl: what it was predicted to gain, before corrections, and what it gained. */
export interface PageValues {
  readonly predicted: readonly number[]
  readonly realised: readonly number[]
}

/** New pages' values as they were estimated, against what their fetches gained; over all splits. */
export interface ValueCalibration extends Omit<BudgetCase, 'split'> {
  /** From the lowest tenth of the estimates to the highest. */
  readonly groups: readonly ToldGroup[]
}

/** Who asks and who judges, of one kind and split of the queries. */
interface Searchers extends QuerySplit {
  readonly truth: WeeklyTruth
}

export interface BenchOptions extends Pick<World, 'registry' | 'sitemaps'> {
  readonly seed: number
}

/** The first fetches of a crawl take a URL it knows at random: they favour no policy's order. */
const START_POLICY = 'random'

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

  /** One crawl; nothing where too few queries are of the kind. `values` are of bidders that think in quality. */
  async crawl({ policy, start, budget, queries, split }: BudgetCase) {
    const searchers = this.#searchersOf(queries, split)
    if (searchers === undefined) return { rows: [], weeks: [], values: [] }
    const { truth, training: log, trainingWeights: seen } = searchers
    const { registry = REGISTRY, sitemaps, seed } = this.#options
    const values = { predicted: [] as number[], realised: [] as number[] }
    const correlations: number[] = []
    const planner = budgetPlannerNamed(policy, registry, (one) => correlations.push(one))
    const { weeks, losses } = await crawlWeekly(planner, {
      ...{ archive: this.archive, truth, log, seen, seed: seed + split, sitemaps },
      ...{ startPolicy: START_POLICY, startShare: start / 100, budgetShare: budget / 100 },
      on: (fetches) => {
        for (const { prediction, realisedGain } of fetches) {
          if (prediction?.acquire === undefined || realisedGain === undefined) continue
          values.predicted.push(prediction.acquire)
          values.realised.push(realisedGain)
        }
      },
    })
    const isValued = correlations.length > 0
    const { quality, shares, weeksUnknown, weeksUnheld } = weeksRun(weeks, null)
    const came = sumOf(values.realised, Number)
    const row = {
      ...{ quality, shortfall: 1 - quality, shares },
      /** Weeks from a page's birth until it was known, and held; null where no page came. */
      ...{ discoveryDelay: weeksUnknown, holdingDelay: weeksUnheld },
      /** What is to blame for the shortfall, as shares of it; null where nothing is missing. */
      losses: losses ?? null,
      /** New pages: rank correlation of estimated and true values; what was predicted, of what came. */
      valueCorrelation: meanOf(correlations, Number) ?? null,
      valueBias: isValued && came > 0 ? sumOf(values.predicted, Number) / came : null,
      /** After mass deletions: weeks until most of what was lost was back; null if never. */
      recovery: recoveries(massDeletions(this.truth), weeks) satisfies Recovery[],
    }
    return { rows: [row], weeks: weeks.map(weekOf), values: isValued ? [values] : [] }
  }

  /** The same for all policies; undefined where too few queries are of that kind. */
  #searchersOf(kind: QueryKind, split: number): Searchers | undefined {
    const key = `${kind} ${split}`
    if (!this.#searchers.has(key)) {
      const random = seededRandom(this.#options.seed).fork(`split ${split}`).fork(kind)
      const divided = splitByKind(this.queries, this.truth, kind, random)
      const truth = divided && this.truth.judgedBy(divided.testWeights)
      this.#searchers.set(key, divided && truth && { ...divided, truth })
    }
    return this.#searchers.get(key)
  }
}

/** How values were estimated, by all that crawls have in common but their splits. */
export function calibrationsOf<Values extends BudgetCase & PageValues>(
  values: readonly Values[],
): (Omit<Values, 'split' | keyof PageValues> & ValueCalibration)[] {
  const places = values.map(({ split: _, predicted, realised, ...place }) => ({
    place,
    ...{ predicted, realised },
  }))
  return [...Map.groupBy(places, ({ place }) => JSON.stringify(place)).values()].map((own) => {
    const predicted = own.flatMap((one) => one.predicted)
    const realised = own.flatMap((one) => one.realised)
    return { ...own[0].place, groups: toldGroups(predicted, realised) }
  })
}

/** One week of a crawl; what fetches were for, as shares of them. Policies without a price have none. */
function weekOf({ week, quality, purposes, fetches, price }: CrawledWeek) {
  const share = (task: Purpose) => purposes[task] / Math.max(1, fetches)
  return {
    ...{ week, quality, price: price ?? null },
    ...{ acquire: share('acquire'), refresh: share('refresh'), discover: share('discover') },
  }
}
