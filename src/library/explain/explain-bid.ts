import { planCycle } from '#crawl/plan-cycle.ts'
import { type ImpactGrounds, impactGrounds } from '#policy/acquire/impact.ts'
import type { Bids } from '#policy/bids.ts'
import { planFetches } from '#policy/budget/scheduler.ts'
import { BudgetPlanner } from '#policy/planning/budget-planner.ts'
import { NewPagesPlanner } from '#policy/planning/new-pages-planner.ts'
import type { Planner } from '#policy/planning/plan.ts'
import { crawlPolicy, goesByIndex } from '../open/crawl-policy.ts'
import { planRules } from '../plan/plan-rules.ts'
import { explainBudgetBid } from './explain-budget.ts'
import { demandFor } from './explain-demand.ts'
import { limitHolds } from './explain-holds.ts'
import {
  betterBids,
  type ExplainedDemand,
  placeOf,
  placeOnHost,
  type Question,
} from './explained-bid.ts'

/** The policy whose estimate of what queries want is shown, whichever makes the bids. */
const ESTIMATOR = 'impact'

/** The bid for a URL under a policy, as `forager plan` would see it, and its grounds; undefined if there is none. */
export async function explainBid(question: Question): Promise<ExplainedDemand | undefined> {
  const { opened, settings, now, url, budget, registry } = question
  const { frontier } = opened.state
  const isHeld = frontier.stateOf(url) === 'page'
  const open = frontier.unfetched(now)
  const isOpen = open.includes(url)
  const candidates = isOpen || isHeld ? open : Uint32Array.from([...open, url]).sort()
  // So that a copy that is too young has a bid to show, whoever plans is told of the others' youth alone.
  const options = { ...settings, registry, freshFor: 0 }
  const policy = await crawlPolicy(settings.policy, opened, now, options)
  await policy.renew()
  const request = { now, seed: settings.seed, limits: { budget }, candidates }
  if (policy instanceof BudgetPlanner) {
    const explained = explainBudgetBid(policy, question, candidates, isHeld || isOpen)
    if (explained === undefined) return undefined
    const { facts, bids, ...rest } = explained
    const grounds = isHeld
      ? undefined
      : (impactGrounds(facts) ?? (await groundsOf(question, request)))
    return { ...rest, demand: grounds && (await demandFor(opened, grounds, bids, url, now)) }
  }
  if (!(policy instanceof NewPagesPlanner)) throw new Error('nobody plans new pages')
  return isHeld ? undefined : explainNewPage(policy, question, request, isOpen)
}

type Request = Parameters<NewPagesPlanner['draft']>[0]

/** The bid of a policy that fetches new pages only. */
async function explainNewPage(
  policy: NewPagesPlanner,
  question: Question,
  request: Request,
  isOpen: boolean,
): Promise<ExplainedDemand> {
  const { opened, settings, budget, now, url } = question
  const { state } = opened
  const { bids, facts } = policy.draft(request)
  const grounds =
    settings.policy === ESTIMATOR ? impactGrounds(facts) : await groundsOf(question, request)
  const rules = { policy: whoBids(bids), ...planRules(settings) }
  const { fetches } = isOpen ? planCycle(state, rules, { budget }, now) : { fetches: [] }
  const plan = fetches.map((fetch) => fetch.url)
  const planned = plan.includes(url)
  const place = placeOf(bids, url)
  const i = bids.urls.indexOf(url)
  const why = fetches[plan.indexOf(url)]?.why() ?? bids.why(i)
  const bid = { gain: bids.gains[i], place, bids: bids.urls.length, why }
  const holds = planned || !isOpen ? [] : limitHolds(state.frontier, url, settings, plan, now)
  if (isOpen && !planned && holds.length === 0) holds.push(betterBids(place, budget))
  return {
    bid: { ...bid, planned, planBudget: budget },
    onHost: placeOnHost(bids, url, state.frontier.urls.hosts()),
    demand: grounds && (await demandFor(opened, grounds, bids, url, now)),
    holds,
  }
}

/** Plans by bids that were made already. */
function whoBids(bids: Bids): Planner {
  return {
    async renew() {},
    plan: ({ otherBids, limits }) => ({ fetches: planFetches([...otherBids, bids], limits) }),
  }
}

/** What the estimator knows, where another policy makes the bids. */
async function groundsOf(
  { opened, settings, registry }: Question,
  request: Request,
): Promise<ImpactGrounds | undefined> {
  const hasQueries =
    goesByIndex(settings.policy, registry) || (await opened.store.queries(request.now)).length > 0
  if (!hasQueries || !opened.state.indexer) return undefined
  const policy = await crawlPolicy(ESTIMATOR, opened, request.now, settings)
  if (!(policy instanceof NewPagesPlanner)) return undefined
  await policy.renew()
  return impactGrounds(policy.draft(request).facts)
}
