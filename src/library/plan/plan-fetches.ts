import { planCycle } from '#crawl/plan-cycle.ts'
import type { Frontier } from '#frontier/frontier.ts'
import type { PlannedFetch } from '#policy/budget/scheduler.ts'
import type { BudgetPlanner } from '#policy/planning/budget-planner.ts'
import { type Composition, predictsQuality, spendsOnCopies } from '#policy/planning/composition.ts'
import type { Plan, Planner, PlanRequest } from '#policy/planning/plan.ts'
import { policyNamed } from '#policy/registry/policy-name.ts'
import { REGISTRY, type Registry } from '#policy/registry/registry.ts'
import { holdsCrawl } from '#repository/database/crawl-folder.ts'
import { crawlPolicy } from '../open/crawl-policy.ts'
import { noCrawlIn, type OpenCrawl } from '../open/open-crawl.ts'
import type { Settings } from '../settings/settings.ts'
import { type BoardPlace, boardPlaces, storedPaces } from './board-place.ts'
import { planAgain } from './plan-again.ts'
import { planRules } from './plan-settings.ts'
import { learnStoredRules } from './stored-rules.ts'

/** What a crawl would fetch next, the best first. */
export interface CrawlPlan {
  readonly policy: string
  readonly dir: string
  /** The time it is made for: now, or that of the archive; seconds since 1970. */
  readonly at: number
  /** Of a plan that was made again. */
  readonly cycle?: number
  /** What the last fetch that the crawl's budget affords is worth, quality × days. */
  readonly price?: number
  readonly fetches: readonly PlannedUrl[]
  /** Whether new pages, copies and links compete, so that bids have parts. */
  readonly hasParts: boolean
  /** Whether bids are quality × days; else they are only an order. */
  readonly inQuality: boolean
  /** Whether each kind of fetch has a fixed share. */
  readonly hasShares: boolean
}

/** One fetch of a plan; `expected` is the quality to be gained at once. */
export interface PlannedUrl
  extends Pick<PlannedFetch, 'purpose' | 'parts' | 'expected' | 'probability' | 'renderCost'> {
  readonly url: string
  readonly bid: number
  readonly why: string
  /** Where it stands on its host, of a plan that is yet to be made. */
  readonly board?: BoardPlace
}

/** Plans so many fetches, and makes none. */
export async function planFetches(
  opened: OpenCrawl,
  settings: Settings,
  budget: number,
  registry: Registry = REGISTRY,
): Promise<CrawlPlan> {
  return (await draftPlan(opened, settings, budget, registry)).told
}

/** A plan as it is told and as it was made, who made it, and what for. */
export interface DraftedPlan {
  readonly told: CrawlPlan
  readonly plan: Plan
  readonly policy: BudgetPlanner
  /** What the planner was asked for: its candidates are the key to its draft. */
  readonly request: PlanRequest
  /** What the planner had for a price before it made a new one; 0 without one. */
  readonly lastPrice: number
}

/** Plans so many fetches, with all that went into it. */
export async function draftPlan(
  opened: OpenCrawl,
  settings: Settings,
  budget: number,
  registry: Registry = REGISTRY,
): Promise<DraftedPlan> {
  const { state, now } = opened
  const policy = await crawlPolicy(settings.policy, opened, now, { ...settings, registry })
  await policy.renew()
  await learnStoredRules(opened, settings)
  const priceBefore = await priceOfSearchers(opened)
  const lastPrice = policy.price
  let request: PlanRequest | undefined
  const noting: Planner = {
    renew: () => policy.renew(),
    plan: (asked) => {
      request = asked
      return policy.plan(asked)
    },
  }
  const plan = planCycle(state, { policy: noting, ...planRules(settings) }, { budget }, now)
  const fetches = plannedUrls(plan.fetches, state.frontier)
  const urls = fetches.map(({ url }) => url)
  const places = boardPlaces(urls, await storedPaces(opened, settings))
  const told = {
    ...{ policy: settings.policy, dir: settings.dir, at: now },
    // What the crawl's own budget made of it, if it has planned so before.
    price: plan.price === undefined ? undefined : (priceBefore ?? plan.price),
    fetches: fetches.map((fetch, i) => ({ ...fetch, board: places[i] })),
    ...currencyOf(policyNamed(settings.policy, registry)),
  }
  return { told, plan, policy, request: request!, lastPrice }
}

/** What the crawl's last plan had for a price, unless it was made by synthetic queries and now there are real ones. */
async function priceOfSearchers({ store, state }: OpenCrawl): Promise<number | undefined> {
  const { budget } = store.reports
  const last = (await budget.prices()).at(-1)
  const measured = (await budget.gains()).at(-1)?.cycle ?? 0
  return last && state.tracker && measured < last.cycle ? undefined : last?.price
}

/** The plan of a past cycle, as it was made then: policy and settings are those of its run. */
export async function planOfCycle(
  dir: string,
  cycle: number,
  registry: Registry = REGISTRY,
): Promise<CrawlPlan> {
  if (!holdsCrawl(dir)) throw noCrawlIn(dir)
  const { plan, entry, settings, state } = await planAgain(dir, cycle, registry)
  const composition = policyNamed(settings.policy, registry)
  return {
    ...{ policy: settings.policy, dir, at: entry.at, cycle, price: plan.price },
    fetches: plannedUrls(plan.fetches, state.frontier),
    ...currencyOf(composition),
  }
}

function currencyOf(
  composition: Composition,
): Pick<CrawlPlan, 'hasParts' | 'inQuality' | 'hasShares'> {
  return {
    hasParts: spendsOnCopies(composition),
    inQuality: predictsQuality(composition),
    hasShares: composition.shares !== undefined,
  }
}

function plannedUrls(fetches: readonly PlannedFetch[], { urls }: Frontier): PlannedUrl[] {
  return fetches.map(({ url, gain, purpose, parts, expected, probability, renderCost, why }) => ({
    ...{ url: urls.urlOf(url), purpose, bid: gain, parts, expected, probability, why: why() },
    ...(renderCost !== undefined && { renderCost }),
  }))
}
