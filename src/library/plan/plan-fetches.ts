import { BudgetPlanner } from '#crawl/budget-planner.ts'
import { planCycle } from '#crawl/cycle.ts'
import type { PlannedFetch } from '#policy/scheduler.ts'
import { crawlPolicy } from '../open/crawl-policy.ts'
import type { OpenCrawl } from '../open/open-crawl.ts'
import type { Settings } from '../settings/settings.ts'
import { planRules } from './plan-rules.ts'

/** What a crawl would fetch next, the best first. */
export interface CrawlPlan {
  readonly policy: string
  readonly dir: string
  /** The time it is made for: now, or that of the archive; seconds since 1970. */
  readonly at: number
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
  const { store, state, scope, now } = opened
  const policy = await crawlPolicy(settings.policy, opened, now, settings)
  if (typeof policy !== 'function') await policy.renew()
  const priceBefore = await store.lastPrice()
  const plan = planCycle(state, { policy, scope, ...planRules(settings) }, { budget }, now)
  return {
    ...{ policy: settings.policy, dir: settings.dir, at: now },
    // What the crawl's own budget made of it, if it has planned so before.
    price: plan.price === undefined ? undefined : (priceBefore ?? plan.price),
    fetches: plan.fetches.map((fetch) => ({
      url: state.frontier.urls.urlOf(fetch.url),
      purpose: fetch.purpose,
      bid: fetch.gain,
      parts: fetch.parts,
      expected: fetch.expected,
      probability: fetch.probability,
      why: fetch.why(),
    })),
    hasParts: policy instanceof BudgetPlanner,
  }
}
