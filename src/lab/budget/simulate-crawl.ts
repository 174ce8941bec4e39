import { PURPOSES, type Purpose } from '#policy/bids.ts'
import type { AcquisitionModel } from '#policy/facts/acquisition-facts.ts'
import type { Registry } from '#policy/registry/registry.ts'
import { budgetPlannerNamed } from './budget-policies.ts'
import type { QueryShares } from './query-shares.ts'
import { SimulatedCrawler } from './simulated-crawler.ts'
import { Truth } from './truth.ts'
import type { BudgetWorld } from './world.ts'

/** How a crawl begins, and who plans it. */
interface CrawlSetup {
  readonly policy: string
  /** Whom policies may name; ours if left out. */
  readonly registry?: Registry
  /** Fetches a week, in per cent of the pages that are there. */
  readonly percent: number
  readonly shares: QueryShares
  readonly startingPages: readonly number[]
  readonly model: AcquisitionModel | undefined
  readonly seed: number
}

/** One week of a crawl. */
export interface CrawlWeek {
  readonly week: number
  /** Quality 0 to 1, just before and just after the fetches. */
  readonly before: number
  readonly after: number
  readonly fetches: Readonly<Record<Purpose, number>>
  /** Undefined for planners without one. */
  readonly price: number | undefined
}

export interface SimulatedCrawl {
  readonly weeks: readonly CrawlWeek[]
  /** By page: the week it came to be known, and was first held; NEVER if not. */
  readonly knownAt: Int32Array
  readonly heldAt: Int32Array
  readonly values: EstimatedValues
}

/** What new pages were predicted to be worth. */
export interface EstimatedValues {
  /** By first fetch: what it was predicted to gain, before corrections, and what it gained. */
  readonly predicted: readonly number[]
  readonly realised: readonly number[]
  /** Rank correlation of all candidates' values with the true ones, by week looked at. */
  readonly correlations: readonly number[]
}

/** Lets the pages of a world come, change and go, and a crawler spend its weekly budget on them. */
export function simulateCrawl(world: BudgetWorld, setup: CrawlSetup): SimulatedCrawl {
  const { policy, registry, percent, shares, startingPages, model, seed } = setup
  const crawler = new SimulatedCrawler(world, shares)
  const truth = new Truth(crawler)
  const planner = budgetPlannerNamed(policy, { crawler, truth, shares, seed, model, registry })
  planner.learn(startingPages.map((page) => crawler.visitPage(page, 0)))
  const weeks: CrawlWeek[] = []
  const values = {
    predicted: [] as number[],
    realised: [] as number[],
    correlations: [] as number[],
  }
  for (let week = 1; week < world.pages.weeks; week++) {
    crawler.turnTo(week)
    truth.turnTo(week)
    const ideal = idealOf(world, shares, week)
    const before = crawler.held.earned / ideal
    const budget = Math.max(1, Math.round((world.liveCounts[week] * percent) / 100))
    const plan = planner.plan(week, budget)
    const fetched = plan.fetches.map(({ url }) => crawler.visit(url, week))
    planner.learn(fetched, plan.predictions)
    plan.predictions?.forEach(({ acquire }, i) => {
      if (acquire === undefined) return
      values.predicted.push(acquire)
      values.realised.push(fetched[i].gain)
    })
    if (plan.valueCorrelation !== undefined) values.correlations.push(plan.valueCorrelation)
    const fetches = Object.fromEntries(
      PURPOSES.map((task) => [task, plan.fetches.filter(({ purpose }) => purpose === task).length]),
    ) as Record<Purpose, number>
    weeks.push({ week, before, after: crawler.held.earned / ideal, fetches, price: plan.price })
  }
  return { weeks, knownAt: crawler.knownAt, heldAt: crawler.heldAt, values }
}

/** What the searchers that judge would get in a week if everything were held and current. */
function idealOf(world: BudgetWorld, { judging }: QueryShares, week: number): number {
  const first = week * judging.length
  let sum = 0
  for (let query = 0; query < judging.length; query++)
    sum += judging[query] * world.ideals[first + query]
  return sum
}
