import { BudgetPlanner } from '#policy/planning/budget-planner.ts'
import { planCycle } from '#crawl/cycle.ts'
import { QueryDriven } from '#policy/facts/known-queries.ts'
import type { Frontier } from '#frontier/frontier.ts'
import { demandFor } from '#library/explain/explain-demand.ts'
import { crawlPolicy, readsQueries } from '#library/open/crawl-policy.ts'
import { planRules } from '#library/plan/plan-rules.ts'
import { explainBudgetBid } from './explain-budget.ts'
import { limitHolds } from './explain-holds.ts'
import { betterBids, type ExplainedDemand, placeOf, type Question } from './explained-bid.ts'

/** The policy whose estimate of what queries want is shown, whichever makes the bids. */
const ESTIMATOR = 'impact'

/** The bid for a URL under a policy, as `forager plan` would see it, and its grounds; undefined if there is none. */
export async function explainBid(question: Question): Promise<ExplainedDemand | undefined> {
  const { opened, settings, now, url } = question
  const { frontier } = opened.state
  const isHeld = frontier.stateOf(url) === 'page'
  const open = frontier.unfetched(now)
  const isOpen = open.includes(url)
  const candidates = isOpen || isHeld ? open : Uint32Array.from([...open, url]).sort()
  // So that a copy that is too young has a bid to show, whoever plans is told of the others' youth alone.
  const policy = await crawlPolicy(settings.policy, opened, now, { ...settings, freshFor: 0 })
  const request = { now, seed: settings.seed, budget: question.budget, candidates }
  if (policy instanceof BudgetPlanner) {
    await policy.renew()
    const explained = explainBudgetBid(policy, question, candidates, isHeld || isOpen)
    if (explained === undefined) return undefined
    const { facts, bids, ...rest } = explained
    const grounds = isHeld ? undefined : (facts ?? (await estimateOf(question, request))?.facts)
    return { ...rest, ...(grounds && { demand: await demandFor(opened, grounds, bids, url, now) }) }
  }
  return isHeld ? undefined : explainNewPage(policy, question, request, isOpen)
}

/** The bid of a policy that fetches new pages only. */
async function explainNewPage(
  policy: Exclude<CrawlPolicy, BudgetPlanner>,
  question: Question,
  request: Request,
  isOpen: boolean,
): Promise<ExplainedDemand> {
  const { opened, settings, budget, now, url } = question
  const { state, scope } = opened
  const made = await bidsBy(policy, state.frontier, request)
  const { bids } = made
  const estimate = settings.policy === ESTIMATOR ? made : await estimateOf(question, request)
  const rules = { policy: () => bids, scope, ...planRules(settings) }
  const plan = isOpen
    ? planCycle(state, rules, { budget }, now).fetches.map((fetch) => fetch.url)
    : []
  const planned = plan.includes(url)
  const place = placeOf(bids, url)
  const i = bids.urls.indexOf(url)
  const bid = { gain: bids.gains[i], place, bids: bids.urls.length, why: bids.why(i) }
  const holds = planned || !isOpen ? [] : limitHolds(state.frontier, url, settings, plan)
  if (isOpen && !planned && holds.length === 0) holds.push(betterBids(place, budget))
  return {
    bid: { ...bid, planned, planBudget: budget },
    ...(estimate?.facts && { demand: await demandFor(opened, estimate.facts, bids, url, now) }),
    holds,
  }
}

type CrawlPolicy = Awaited<ReturnType<typeof crawlPolicy>>
type Request = { now: number; seed: number; budget: number; candidates: Uint32Array }

async function bidsBy(policy: CrawlPolicy, frontier: Frontier, request: Request) {
  if (policy instanceof QueryDriven) {
    await policy.renew()
    return policy.consider(request)
  }
  if (typeof policy !== 'function') throw new Error('no policy for new pages')
  const graph = frontier.graphFacts(request.now, request.seed)
  return { bids: policy({ ...graph, candidates: request.candidates }) }
}

/** What the estimator knows, where another policy makes the bids. */
async function estimateOf({ opened, settings }: Question, request: Request) {
  const hasQueries =
    readsQueries(settings.policy) || (await opened.store.queries(request.now)).length > 0
  if (!hasQueries || !opened.state.indexer) return undefined
  const policy = await crawlPolicy(ESTIMATOR, opened, request.now, settings)
  return bidsBy(policy, opened.state.frontier, request)
}
