import { expectedLinks, refreshFactsNow, worthOfLinks } from '#policy/planning/budget-estimates.ts'
import type { BudgetPlanner } from '#policy/planning/budget-planner.ts'
import { clicksOfAnswers } from '#policy/facts/views.ts'
import type { CrawlState } from '#crawl/cycle.ts'
import type { QueryDriven } from '#policy/facts/known-queries.ts'
import { seededRandom } from '#numeric/random.ts'
import { addedBids } from '#policy/budget/added-bids.ts'
import { thoughtsOf } from '#policy/budget/corrected-estimates.ts'
import { bidsInOneCurrency } from '#policy/budget/one-budget.ts'
import { marginalGain } from '#policy/budget/price.ts'
import { withRandomFetches } from '#policy/budget/random-fetches.ts'
import { planFetches } from '#policy/budget/scheduler.ts'
import { qualityRefresh } from '#policy/refresh/quality.ts'
import { type Cost, measure } from './cost.ts'
import type { ScheduleWeb } from './schedule-web.ts'

interface Planned {
  readonly web: ScheduleWeb
  readonly state: CrawlState
  readonly planner: BudgetPlanner
  readonly acquirer: QueryDriven
  readonly spending: { readonly budget: number; readonly affords: number }
  readonly seed: number
}

/** What the parts of a plan cost, one by one, as `BudgetPlanner.plan` puts them together. */
export async function planParts(planned: Planned): Promise<Record<string, Cost>> {
  const { web, state, planner, acquirer, spending, seed } = planned
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
  const { bids: acquire, facts } = await part('acquire', () =>
    acquirer.consider({ now, seed, candidates, budget }),
  )
  const clicks = clicksOfAnswers(facts!.queries, facts!.answers)
  const known = planner.learnt
  const { corrections } = known
  const mayRefetch = (_: number, age: number) => age >= 86_400
  const history = await part('refreshFacts', () =>
    refreshFactsNow(known, { now, clicks, fetchesPerDay: 1e5, mayRefetch }),
  )
  const refresh = await part('refresh', () => qualityRefresh(history))
  const links = await part('expectedLinks', () => expectedLinks(known, history, acquire.urls, now))
  const estimates = { acquire, refresh, links, worthOfLink: worthOfLinks(known, acquire) }
  const bids = await part('oneCurrency', () => bidsInOneCurrency(estimates, corrections, affords))
  const added = await part('adding', () => addedBids(bids))
  await part('price', () => marginalGain(added.gains, affords))
  const plan = await part('choosing', () => planFetches(bids, { budget }, added))
  const random = seededRandom(seed)
  const fetches = await part('random', () =>
    withRandomFetches(plan, bids, Math.ceil(budget / 50), { budget }, random, added),
  )
  const urls = fetches.map(({ url }) => url)
  await part('notes', () => thoughtsOf(estimates, urls))
  return costs
}
