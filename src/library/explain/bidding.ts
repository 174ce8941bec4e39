import type { Bids } from '#policy/bids.ts'
import type { BidSum } from '#policy/budget/added-bids.ts'
import type { Facts } from '#policy/facts/facts.ts'
import { BudgetPlanner } from '#policy/planning/budget-planner.ts'
import { NewPagesPlanner } from '#policy/planning/new-pages-planner.ts'
import type { Planner, PlanRequest } from '#policy/planning/plan.ts'
import { type ExplainedParts, explainParts } from './explain-parts.ts'

type Request = Pick<PlanRequest, 'now' | 'seed' | 'limits' | 'candidates' | 'budget'>

/** All bids of a plan, and what they were made from. */
export interface Bidding {
  readonly facts: Facts
  readonly all: readonly Bids[]
  /** Whether each task has a fixed share, so that bids compete within a task only. */
  readonly isSplit: boolean
  /** Where new pages, copies and links compete: what the bid for a URL is made of. */
  readonly parts?: (url: number, sum: BidSum) => ExplainedParts
}

/**
 * What is bid for these candidates, from the draft of a plan for them if there was one. For a URL that is asked about it is made
 * anew, as if that could be fetched, however young its copy is.
 */
export function biddingOf(policy: Planner, request: Request, url?: number): Bidding {
  if (policy instanceof NewPagesPlanner) {
    const { facts, bids } = policy.drafted(request)
    return { facts, all: [bids], isSplit: false }
  }
  if (!(policy instanceof BudgetPlanner)) throw new Error('nobody plans new pages')
  const asked = { ...request, isUnderWay: () => false }
  const { facts, offers, acquire, terms } =
    url === undefined ? policy.drafted(asked) : policy.draft(asked, url)
  const isSplit = policy.owed !== undefined
  if (!offers) return { facts, all: [acquire], isSplit }
  const all = policy.bidsOf(offers, request.budget ?? request.limits.budget)
  const parts = (of: number, sum: BidSum) =>
    explainParts(policy, { facts, offers, terms }, of, sum.parts)
  return { facts, all, isSplit, parts }
}
