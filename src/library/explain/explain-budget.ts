import { planCycle } from '#crawl/plan-cycle.ts'
import type { Bids } from '#policy/bids.ts'
import { type AddedBids, addedBids, bidSumsOf, totalOf } from '#policy/budget/added-bids.ts'
import type { Facts } from '#policy/facts/facts.ts'
import type { BudgetPlanner } from '#policy/planning/budget-planner.ts'
import type { Planner } from '#policy/planning/plan.ts'
import { planRules } from '../plan/plan-rules.ts'
import { type Hold, limitHolds } from './explain-holds.ts'
import { explainParts } from './explain-parts.ts'
import {
  betterBids,
  type ExplainedDemand,
  placeOf,
  placeOnHost,
  type Question,
} from './explained-bid.ts'

interface ExplainedBudgetBid extends Omit<ExplainedDemand, 'demand'> {
  /** What all bids go by. */
  readonly facts: Facts
  /** All bids that it competes with. */
  readonly bids: AddedBids
}

/**
 * The bid for a URL where new pages, copies and links compete; undefined if nobody bids for it. The planner
 * must not mind how young copies are.
 */
export function explainBudgetBid(
  planner: BudgetPlanner,
  question: Question,
  candidates: Uint32Array,
  isOpen: boolean,
): ExplainedBudgetBid | undefined {
  const { opened, settings, budget, now, url } = question
  const { frontier } = opened.state
  const isYoung = (other: number) =>
    frontier.stateOf(other) === 'page' && now - frontier.lastVisitOf(other) < settings.freshFor
  const draft = planner.draft({
    ...{ now, seed: settings.seed, candidates, limits: { budget } },
    isUnderWay: (other) => other !== url && isYoung(other),
  })
  const { facts, offers } = draft
  const all = offers ? planner.bidsOf(offers, budget) : [draft.acquire]
  if (!all.some(({ urls }) => urls.includes(url))) return undefined
  const [sum] = bidSumsOf(all, [url])
  const { purpose, expected } = sum
  const parts = offers && explainParts(planner, { facts, offers }, url, sum.parts)
  const isSplit = planner.owed !== undefined
  const bids = isSplit ? addedBids(ofTask(all, purpose)) : addedBids(all)
  const place = placeOf(bids, url)
  const priceBefore = planner.price
  const { fetches, price = 0 } = planned(planner, question, isYoung)
  const plan = fetches.map((fetch) => fetch.url)
  const isPlanned = plan.includes(url)
  const gain = isSplit ? sum.parts[purpose] : totalOf(sum.parts)
  const priced = isSplit || !offers ? undefined : priceBefore || price
  return {
    bid: {
      ...{ gain, place, bids: bids.urls.length, why: (fetches[plan.indexOf(url)] ?? sum).why() },
      ...{ planned: isPlanned, planBudget: budget },
      ...(offers && { parts: sum.parts, expected }),
      ...(priced !== undefined && { price: priced, isAbovePrice: gain > priced }),
    },
    parts,
    onHost: placeOnHost(bids, url, frontier.urls.hosts()),
    facts,
    bids,
    holds: isPlanned || !isOpen ? [] : holdsOf(question, plan, isYoung(url), place),
  }
}

function ofTask(bids: readonly Bids[], purpose: Bids['purpose']): Bids[] {
  return bids.filter((some) => some.purpose === purpose)
}

/** What the planner would fetch next. */
function planned(
  planner: BudgetPlanner,
  { opened, settings, budget, now }: Question,
  isYoung: (url: number) => boolean,
) {
  const mindful: Planner = {
    renew: () => planner.renew(),
    plan: (request) => planner.plan({ ...request, isUnderWay: isYoung }),
  }
  const rules = { policy: mindful, ...planRules(settings) }
  return planCycle(opened.state, rules, { budget }, now)
}

function holdsOf(
  { opened, settings, budget, url, now }: Question,
  plan: readonly number[],
  isTooYoung: boolean,
  place: number,
): Hold[] {
  const { frontier } = opened.state
  if (isTooYoung) {
    return [{ kind: 'fresh', until: frontier.lastVisitOf(url) + settings.freshFor }]
  }
  const holds = limitHolds(frontier, url, settings, plan, now)
  return holds.length > 0 ? holds : [betterBids(place, budget)]
}
