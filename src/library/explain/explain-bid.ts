import { type CrawlRules, fullLimits, planCycle } from '#crawl/plan-cycle.ts'
import { type ImpactGrounds, impactGrounds } from '#policy/acquire/impact.ts'
import type { Bids } from '#policy/bids.ts'
import { addedBids, type BidSum, bidSumsOf, totalOf } from '#policy/budget/added-bids.ts'
import type { Facts } from '#policy/facts/facts.ts'
import { BudgetPlanner } from '#policy/planning/budget-planner.ts'
import { NewPagesPlanner } from '#policy/planning/new-pages-planner.ts'
import type { Plan, Planner, PlanRequest } from '#policy/planning/plan.ts'
import { crawlPolicy, goesByIndex } from '../open/crawl-policy.ts'
import { planRules } from '../plan/plan-settings.ts'
import { demandFor } from './explain-demand.ts'
import { type Hold, limitHold } from './explain-holds.ts'
import { type ExplainedParts, explainParts } from './explain-parts.ts'
import { type ExplainedDemand, placeOf, placeOnHost, type Question } from './explained-bid.ts'

/** The policy whose estimate of what queries want is shown, whichever makes the bids. */
const ESTIMATOR = 'impact'

/** The bid for a URL under a policy, as `forager plan` would see it, and its grounds; undefined if there is none. */
export async function explainBid(question: Question): Promise<ExplainedDemand | undefined> {
  const { opened, settings, now, url, budget, registry } = question
  const { state } = opened
  const isHeld = state.frontier.stateOf(url) === 'page'
  const open = state.frontier.unfetched(now)
  const mayBePlanned = isHeld || open.includes(url)
  const candidates = mayBePlanned ? open : Uint32Array.from([...open, url]).sort()
  const policy = await crawlPolicy(settings.policy, opened, now, { ...settings, registry })
  await policy.renew()
  const request = { now, seed: settings.seed, limits: { budget }, candidates }
  const { facts, all, isSplit, parts } = biddingOf(policy, request, url)
  if (!all.some(({ urls }) => urls.includes(url))) return undefined
  const [sum] = bidSumsOf(all, [url])
  const bids = addedBids(isSplit ? all.filter(({ purpose }) => purpose === sum.purpose) : all)
  const gain = isSplit ? sum.parts[sum.purpose] : totalOf(sum.parts)
  const place = placeOf(bids, url)
  const lastPrice = policy instanceof BudgetPlanner ? policy.price : 0 // planning sets a new one
  const rules = { policy, ...planRules(settings) }
  const plan = planCycle(state, rules, { budget }, now)
  const price = plan.price === undefined ? undefined : lastPrice || plan.price
  const planned = plan.fetches.find((fetch) => fetch.url === url)
  const isOurs = policy instanceof BudgetPlanner || settings.policy === ESTIMATOR
  const ownGrounds = isOurs ? impactGrounds(facts) : undefined
  const grounds = isHeld ? undefined : (ownGrounds ?? (await estimated(question, request)))
  return {
    bid: {
      ...{ gain, place, bids: bids.urls.length, why: (planned ?? sum).why() },
      ...{ planned: planned !== undefined, planBudget: budget },
      ...(parts && { parts: sum.parts, expected: sum.expected }),
      ...(price !== undefined && { price, isAbovePrice: gain > price }),
    },
    parts: parts?.(sum),
    onHost: placeOnHost(bids, url, state.frontier.urls.hosts()),
    demand: grounds && (await demandFor(opened, grounds, bids, url, now)),
    holds: planned || !mayBePlanned ? [] : planHolds(question, rules, plan, place),
  }
}

type Request = Pick<PlanRequest, 'now' | 'seed' | 'limits' | 'candidates'>

/** All bids of a plan, and what they were made from. */
interface Bidding {
  readonly facts: Facts
  readonly all: readonly Bids[]
  /** Whether each task has a fixed share, so that bids compete within a task only. */
  readonly isSplit: boolean
  /** Where new pages, copies and links compete: what the bid for the URL is made of. */
  readonly parts?: (sum: BidSum) => ExplainedParts
}

/** What is bid now; for a URL that is asked about as if it could be fetched, however young its copy is. */
export function biddingOf(policy: Planner, request: Request, url?: number): Bidding {
  if (policy instanceof NewPagesPlanner) {
    const { facts, bids } = policy.draft(request)
    return { facts, all: [bids], isSplit: false }
  }
  if (!(policy instanceof BudgetPlanner)) throw new Error('nobody plans new pages')
  const { facts, offers, acquire } = policy.draft({ ...request, isUnderWay: () => false }, url)
  const isSplit = policy.owed !== undefined
  if (!offers) return { facts, all: [acquire], isSplit }
  const all = policy.bidsOf(offers, request.limits.budget)
  if (url === undefined) return { facts, all, isSplit }
  const parts = (sum: BidSum) => explainParts(policy, { facts, offers }, url, sum.parts)
  return { facts, all, isSplit, parts }
}

/** What keeps a URL out of a plan that might have had it. */
function planHolds(
  { opened: { state }, budget, url, now }: Question,
  rules: CrawlRules,
  { fetches }: Plan,
  place: number,
): Hold[] {
  const { policy } = rules
  const until = policy instanceof BudgetPlanner ? policy.freshUntil(url) : 0
  if (until > now) return [{ kind: 'fresh', until }]
  const limits = fullLimits(state, rules, fetches, { budget }, now, url)
  if (limits.length > 0) return limits.map(limitHold)
  return [{ kind: 'plan', better: place - 1, planBudget: budget }]
}

/** What the estimator knows, where another policy makes the bids. */
async function estimated(
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
