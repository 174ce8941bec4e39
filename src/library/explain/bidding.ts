import type { Bids } from '#policy/bids.ts'
import type { BidSum } from '#policy/budget/added-bids.ts'
import type { Facts } from '#policy/facts/facts.ts'
import type { BudgetPlanner } from '#policy/planning/budget-planner.ts'
import type { PlanRequest } from '#policy/planning/plan.ts'
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
export function biddingOf(policy: BudgetPlanner, request: Request, url?: number): Bidding {
  const { facts, offers, acquire, terms } =
    url === undefined ? policy.drafted(request) : policy.draft(request, url)
  const isSplit = policy.owed !== undefined
  if (!offers) return { facts, all: [acquire], isSplit }
  const all = policy.bidsOf(offers, request.budget ?? request.limits.budget)
  const parts = (of: number, sum: BidSum) =>
    explainParts(policy, { facts, offers, terms }, of, sum.parts)
  return { facts, all, isSplit, parts }
}
