import { type CrawlRules, fullLimits } from '#crawl/plan-cycle.ts'
import { type ImpactGrounds, impactGrounds } from '#policy/acquire/impact.ts'
import { addedBids, bidSumsOf, totalOf } from '#policy/budget/added-bids.ts'
import type { BudgetPlanner } from '#policy/planning/budget-planner.ts'
import type { Plan, PlanRequest } from '#policy/planning/plan.ts'
import { crawlPolicy, goesByIndex } from '../open/crawl-policy.ts'
import { planRules } from '../plan/plan-settings.ts'
import { biddingOf } from './bidding.ts'
import { demandFor } from './explain-demand.ts'
import { type Hold, limitHold } from './explain-holds.ts'
import { type ExplainedDemand, placeOf, placeOnHost, type Question } from './explained-bid.ts'

/** The policy whose estimate of what queries want is shown, whichever makes the bids. */
const ESTIMATOR = 'impact'

/** The bid for a URL under a policy, as `forager plan` would see it, and its grounds; undefined if there is none. */
export async function explainBid(question: Question): Promise<ExplainedDemand | undefined> {
  const { opened, settings, now, url, budget } = question
  const { state } = opened
  const isHeld = state.frontier.stateOf(url) === 'page'
  const mayBePlanned = isHeld || state.frontier.unfetched(now).includes(url)
  const { policy, plan, lastPrice, request: asked, bidding } = await question.prepared.drafted()
  const hasBid = bidding.all.some(({ urls }) => urls.includes(url))
  const request = hasBid ? asked : withCandidate(asked, url, isHeld)
  const { facts, all, isSplit, parts } = hasBid ? bidding : biddingOf(policy, request, url)
  if (!all.some(({ urls }) => urls.includes(url))) return undefined
  const [sum] = bidSumsOf(all, [url])
  const bids = addedBids(isSplit ? all.filter(({ purpose }) => purpose === sum.purpose) : all)
  const gain = isSplit ? sum.parts[sum.purpose] : totalOf(sum.parts)
  const place = placeOf(bids, url, asked.limits)
  const rules = { policy, ...planRules(settings) }
  const price = plan.price === undefined ? undefined : lastPrice || plan.price
  const planned = plan.fetches.find((fetch) => fetch.url === url)
  const isOurs = !policy.isAlone || settings.policy === ESTIMATOR
  const ownGrounds = isOurs ? impactGrounds(facts) : undefined
  const grounds = isHeld ? undefined : (ownGrounds ?? (await estimated(question, request)))
  return {
    bid: {
      ...{ gain, place, bids: bids.urls.length, why: (planned ?? sum).why() },
      ...{ planned: planned !== undefined, planBudget: budget },
      ...(parts && { parts: sum.parts, expected: sum.expected }),
      ...(price !== undefined && { price, isAbovePrice: gain > price }),
    },
    parts: parts?.(url, sum),
    onHost: placeOnHost(bids, url, state.frontier.urls.hosts(), plan.fetches, asked.limits),
    demand: grounds && (await demandFor(opened, grounds, bids, url, now)),
    holds: planned || !mayBePlanned ? [] : planHolds(question, rules, plan, place),
  }
}

type Request = Pick<PlanRequest, 'now' | 'seed' | 'limits' | 'candidates'>

/** The same as if a URL could be fetched now. */
function withCandidate(request: PlanRequest, url: number, isHeld: boolean): Request {
  const { candidates } = request
  if (isHeld || candidates.includes(url)) return request
  return { ...request, candidates: Uint32Array.from([...candidates, url]).sort() }
}

/** What keeps a URL out of a plan that might have had it. */
function planHolds(
  { opened: { state }, budget, url, now }: Question,
  rules: CrawlRules & { readonly policy: BudgetPlanner },
  { fetches }: Plan,
  place: number,
): Hold[] {
  const { policy } = rules
  const until = policy.freshUntil(url)
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
  await policy.renew()
  return impactGrounds(policy.draft(request).facts)
}
