import { BudgetPlanner } from '#crawl/budget-planner.ts'
import { planCycle } from '#crawl/cycle.ts'
import type { Frontier } from '#frontier/frontier.ts'
import type { PlannedFetch } from '#policy/scheduler.ts'
import { holdsCrawl } from '#repository/database/crawl-folder.ts'
import { crawlPolicy } from '../open/crawl-policy.ts'
import { noCrawlIn, type OpenCrawl } from '../open/open-crawl.ts'
import { isBudgetPolicy } from '../settings/policy-names.ts'
import type { Settings } from '../settings/settings.ts'
import { planAgain } from './plan-again.ts'
import { planRules } from './plan-rules.ts'

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
}

/** One fetch of a plan; `expected` is the quality to be gained at once. */
export interface PlannedUrl
  extends Pick<PlannedFetch, 'purpose' | 'parts' | 'expected' | 'probability'> {
  readonly url: string
  readonly bid: number
  readonly why: string
}

/** Plans so many fetches, and makes none. */
export async function planFetches(
  opened: OpenCrawl,
  settings: Settings,
  budget: number,
): Promise<CrawlPlan> {
  const { store, state, now } = opened
  const policy = await crawlPolicy(settings.policy, opened, now, settings)
  if (typeof policy !== 'function') await policy.renew()
  const priceBefore = await store.lastPrice()
  const plan = planCycle(state, { policy, ...planRules(settings) }, { budget }, now)
  return {
    ...{ policy: settings.policy, dir: settings.dir, at: now },
    // What the crawl's own budget made of it, if it has planned so before.
    price: plan.price === undefined ? undefined : (priceBefore ?? plan.price),
    fetches: plannedUrls(plan.fetches, state.frontier),
    hasParts: policy instanceof BudgetPlanner,
  }
}

/** The plan of a past cycle, as it was made then: policy and settings are those of its run. */
export async function planOfCycle(dir: string, cycle: number): Promise<CrawlPlan> {
  if (!holdsCrawl(dir)) throw noCrawlIn(dir)
  const { plan, entry, settings, state } = await planAgain(dir, cycle)
  return {
    ...{ policy: settings.policy, dir, at: entry.at, cycle, price: plan.price },
    fetches: plannedUrls(plan.fetches, state.frontier),
    hasParts: isBudgetPolicy(settings.policy),
  }
}

function plannedUrls(fetches: readonly PlannedFetch[], { urls }: Frontier): PlannedUrl[] {
  return fetches.map(({ url, gain, purpose, parts, expected, probability, why }) => ({
    ...{ url: urls.urlOf(url), purpose, bid: gain, parts, expected, probability, why: why() },
  }))
}
