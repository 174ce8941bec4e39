import type { CrawlState } from '#crawl/plan-cycle.ts'
import { seededRandom } from '#numeric/random.ts'
import { addedBids } from '#policy/budget/added-bids.ts'
import { bidsInOneCurrency } from '#policy/budget/one-budget.ts'
import { predictionsOf } from '#policy/budget/one-currency.ts'
import { marginalGain } from '#policy/budget/price.ts'
import { withRandomFetches } from '#policy/budget/random-fetches.ts'
import { planFetches } from '#policy/budget/scheduler.ts'
import { worthOfLinks } from '#policy/discover/links-worth.ts'
import type { BudgetPlanner } from '#policy/planning/budget-planner.ts'
import { policyNamed } from '#policy/registry/policy-name.ts'
import { type Cost, measure } from '../harness/cost.ts'
import type { CrawlUnderWay } from '../webs/drawn-crawl.ts'

interface Planned {
  readonly web: CrawlUnderWay
  readonly state: CrawlState
  readonly planner: BudgetPlanner
  readonly spending: { readonly budget: number; readonly affords: number }
  readonly seed: number
}

/** What the parts of a plan cost, one by one, as `BudgetPlanner.plan` puts them together. */
export async function planParts(planned: Planned): Promise<Record<string, Cost>> {
  const { web, state, planner, spending, seed } = planned
  const { frontier } = web
  const now = web.now + state.cycle * 3_600
  const costs: Record<string, Cost> = {}
  const part = async <T>(name: string, work: () => T): Promise<T> => {
    const { result, cost } = await measure(`  ${name}`, work)
    costs[name] = cost
    return result
  }
  const { budget, affords } = spending
  const candidates = await part('candidates', () => frontier.unfetched(now))
  const { facts } = planner.draft({
    ...{ now, seed, candidates, limits: { budget } },
    isUnderWay: () => false,
  })
  const { bidders } = policyNamed('unified')
  const acquire = await part('acquire', () => bidders.acquire!.bids(facts))
  const refresh = await part('refresh', () => bidders.refresh!.bids(facts))
  const discover = await part('discover', () => bidders.discover!.bids(facts))
  const known = planner.learnt
  const { corrections } = known
  const estimates = { acquire, refresh, discover, worthOfLink: worthOfLinks(known, acquire) }
  const bids = await part('oneCurrency', () => bidsInOneCurrency(estimates, corrections, affords))
  const added = await part('adding', () => addedBids(bids))
  await part('price', () => marginalGain(added.gains, affords))
  const plan = await part('choosing', () => planFetches(bids, { budget }, added))
  const random = seededRandom(seed)
  const fetches = await part('random', () =>
    withRandomFetches(plan, bids, Math.ceil(budget / 50), { budget }, random, added),
  )
  const urls = fetches.map(({ url }) => url)
  await part('notes', () => predictionsOf(estimates, urls))
  return costs
}
