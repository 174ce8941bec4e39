import type { GraphFacts } from '#frontier/graph-facts.ts'
import type { Exempt, Thought } from '#learn/corrections/corrections.ts'
import { SECONDS_A_DAY } from '#learn/histories.ts'
import type { Lessons } from '#learn/lessons.ts'
import { seededRandom } from '#numeric/random.ts'
import { type Bids, noBids, type Policy } from '#policy/bids.ts'
import type { Parts } from '#policy/budget/added-bids.ts'
import { thoughtsOf } from '#policy/budget/corrected-estimates.ts'
import { bidsInOneCurrency, type Estimates, OneBudget } from '#policy/budget/one-budget.ts'
import { outlookOf } from '#policy/budget/outlook.ts'
import { type PlannedFetch, planFetches } from '#policy/budget/scheduler.ts'
import { SplitBudget } from '#policy/budget/split.ts'
import type { AcquisitionFacts } from '#policy/facts/acquisition-facts.ts'
import type { HistoryFacts } from '#policy/facts/refresh-facts.ts'
import { budgetEstimates, type Known } from './budget-estimates.ts'
import { type Clicks, clicksOfAnswers } from './clicks.ts'
import type { Moment } from './history-facts.ts'
import type { Plan, Planner, PlanRequest } from './planner.ts'
import type { QueryDriven } from './query-driven.ts'

export interface BudgetSetup {
  /** What the crawl has learnt from its fetches so far; it goes on learning. */
  readonly lessons: Lessons
  /** Who bids for new pages: by queries, in quality, or by links alone, which only a split can use. */
  readonly acquirer?: QueryDriven | Policy<GraphFacts>
  readonly refresher?: Policy<HistoryFacts>
  /**
   * Whether they bid in quality, so that it can be held against what was gained, or only for an order, by links
   * or by age. Both bid in quality if left out.
   */
  readonly inQuality?: InQuality
  /** Whether pages are fetched for the links they may show. */
  readonly discovers: boolean
  /** Fixed shares; without them all bids compete. */
  readonly shares?: Parts
  /** What was left of each share, in fetches, when the crawl was left. */
  readonly owed?: Parts
  /** How often searchers see each copy, where no bidder for new pages knows. */
  readonly clicks?: () => Clicks
  /** Copies younger than this are not fetched again. */
  readonly freshForSeconds?: number
  /** This share of the fetches is drawn by lot. */
  readonly randomShare?: number
  /** What the last fetch was worth when the crawl was left. */
  readonly price?: number
  /** Tasks whose estimates are not corrected; those that are not in quality if left out. */
  readonly isExempt?: Exempt
}

type InQuality = Readonly<Record<'acquire' | 'refresh', boolean>>

/** A day: what changes faster than that, few searchers notice. */
export const FRESH_FOR_SECONDS = SECONDS_A_DAY

/**
 * Plans new pages, copies and links together, from what a crawl has learnt so far: in one currency, or by
 * fixed shares. Before there are queries to go by, it fetches new pages only.
 */
export class BudgetPlanner implements Planner {
  readonly #setup: BudgetSetup
  readonly #inQuality: InQuality
  readonly #known: Known
  readonly #oneBudget: OneBudget
  readonly #split: SplitBudget | undefined

  constructor(setup: BudgetSetup) {
    const { shares, owed, price, inQuality } = setup
    this.#setup = setup
    this.#inQuality = inQuality ?? { acquire: true, refresh: true }
    const { acquire, refresh } = this.#inQuality
    const { isExempt = { acquire: !acquire, refresh: !refresh } } = setup
    const { frontier, histories, corrections, watch } = setup.lessons
    this.#known = { frontier, histories, watch, corrections: corrections.exempting(isExempt) }
    this.#oneBudget = new OneBudget(price)
    this.#split = shares && new SplitBudget(shares, owed)
  }

  /** What was learnt of pages, about its own estimates, and about classes of URLs that behave unlike before. */
  get learnt(): Known {
    return this.#known
  }

  get price(): number {
    return this.#oneBudget.price
  }

  /** What is left of each share, in fetches, where shares are fixed. */
  get owed(): Parts | undefined {
    return this.#split?.owed
  }

  async renew(): Promise<void> {
    const { acquirer } = this.#setup
    if (acquirer !== undefined && typeof acquirer !== 'function') await acquirer.renew()
  }

  plan(request: PlanRequest): Plan {
    const { limits, affords, otherBids, seed, now } = request
    const draft = this.draft(request)
    if (draft.thought === undefined)
      return { fetches: planFetches([...otherBids, draft.acquire], limits) }
    const { estimates, moment } = draft.thought
    const bids = this.bidsOf(estimates, affords)
    const outlook = this.#outlookOn(bids)
    const noted = (fetches: readonly PlannedFetch[]) => ({
      fetches,
      notes: notesOf(fetches, correctable(estimates, this.#inQuality), moment.clicks),
      ...(outlook && { outlook }),
    })
    if (this.#split) return noted(this.#split.plan(bids, limits, otherBids))
    const random = seededRandom(seed).fork(`random fetches ${now}`)
    const { randomShare } = this.#setup
    const spending = { limits, affords, random, ...(randomShare !== undefined && { randomShare }) }
    const { fetches, price } = this.#oneBudget.plan(bids, spending, otherBids)
    return { ...noted(fetches), price }
  }

  /** What estimates come to, corrected and in one currency, where so many fetches can be afforded. */
  bidsOf(estimates: Estimates, affords: number): Bids[] {
    // A split's third share is for revisits: what new pages may show is no reason of its own there.
    const links = this.#split ? ofCopies(estimates.links) : estimates.links
    return bidsInOneCurrency({ ...estimates, links }, this.#known.corrections, affords)
  }

  /** What a plan goes by; no estimates before there is anything to judge copies by. */
  draft(
    request: Pick<PlanRequest, 'now' | 'seed' | 'candidates' | 'isUnderWay' | 'limits'>,
  ): Draft {
    const { now, isUnderWay } = request
    const { lessons, refresher, discovers, freshForSeconds = FRESH_FOR_SECONDS } = this.#setup
    const { acquire, facts } = this.#acquire(request)
    const clicks = facts ? clicksOfAnswers(facts.queries, facts.answers) : this.#setup.clicks?.()
    if (clicks === undefined) return { acquire }
    const mayRefetch = (url: number, age: number) => age >= freshForSeconds && !isUnderWay(url)
    const fetchesPerDay = lessons.fetchesPerDay(now)
    const moment = { now, clicks, fetchesPerDay, mayRefetch }
    const bidders = { acquire, discovers, ...(refresher && { refresher }) }
    const estimates = {
      ...budgetEstimates(this.#known, moment, bidders),
      // Where nobody says what pages are worth, all links are worth the same.
      ...(!this.#inQuality.acquire && { worthOfLink: () => 1 }),
    }
    return { acquire, thought: { estimates, moment }, ...(facts && { facts }) }
  }

  /** What so many fetches, those of this plan first, are expected to gain; nobody can tell where bids are not in quality. */
  #outlookOn(bids: readonly Bids[]): Plan['outlook'] {
    if (!this.#inQuality.acquire || !this.#inQuality.refresh) return undefined
    const split = this.#split?.copy() // planning changes what it owes
    return (fetches) => (split ? split.outlook(bids, fetches) : outlookOf(bids, fetches))
  }

  #acquire({
    now,
    seed,
    candidates,
    limits,
  }: Pick<PlanRequest, 'now' | 'seed' | 'candidates' | 'limits'>): {
    acquire: Bids
    facts?: AcquisitionFacts
  } {
    const { acquirer } = this.#setup
    const { frontier } = this.#known
    if (acquirer === undefined) return { acquire: noBids('acquire') }
    if (typeof acquirer === 'function')
      return { acquire: acquirer({ ...frontier.graphFacts(now, seed), candidates }) }
    const { bids, facts } = acquirer.consider({ now, seed, candidates, budget: limits.budget })
    return { acquire: bids, ...(facts && { facts }) }
  }
}

/** What a plan goes by. */
export interface Draft {
  readonly acquire: Bids
  /** What is thought of everything, and what that was made from beside what was learnt. */
  readonly thought?: { readonly estimates: Estimates; readonly moment: Moment }
  /** What bids for new pages were made from, if queries were asked. */
  readonly facts?: AcquisitionFacts
}

/**
 * What of estimates can be corrected by what came: links of new pages only beside the pages' own quality, by
 * which they are told from those of copies.
 */
function correctable(estimates: Estimates, inQuality: InQuality): Estimates {
  const { acquire, refresh, links } = estimates
  return {
    ...estimates,
    acquire: inQuality.acquire ? acquire : noBids('acquire'),
    refresh: inQuality.refresh ? refresh : noBids('refresh'),
    links: inQuality.acquire ? links : ofCopies(links),
  }
}

function ofCopies(links: Estimates['links']): Estimates['links'] {
  return links.filter(({ isFirst }) => !isFirst)
}

function notesOf(
  fetches: readonly PlannedFetch[],
  estimates: Estimates,
  { byUrl }: Clicks,
): { thought: Thought; clicks: number }[] {
  const thoughts = thoughtsOf(
    estimates,
    fetches.map(({ url }) => url),
  )
  return fetches.map(({ url }, i) => ({ thought: thoughts[i], clicks: byUrl.get(url) ?? 0 }))
}
