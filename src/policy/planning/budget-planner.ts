import { SECONDS_A_DAY } from '#learn/histories.ts'
import type { Lessons } from '#learn/lessons.ts'
import { seededRandom } from '#numeric/random.ts'
import { readsQueries } from '../bidder.ts'
import { type Bids, noBids } from '../bids.ts'
import { addedBids, type Parts } from '../budget/added-bids.ts'
import { correctedBids, predictionsOf } from '../budget/corrected-bids.ts'
import {
  bidsInOneCurrency,
  type Offers,
  OneBudget,
  type RenderOffers,
} from '../budget/one-budget.ts'
import { ofCopies, perFetch } from '../budget/one-currency.ts'
import { outlookOf } from '../budget/outlook.ts'
import { reachOf, reservedFetches } from '../budget/reserve.ts'
import { type PlannedFetch, planFetches } from '../budget/scheduler.ts'
import { SplitBudget } from '../budget/split.ts'
import { worthOfLinks } from '../discover/links-worth.ts'
import type { AskedQuery } from '../facts/acquisition-facts.ts'
import { AddressShapes } from '../facts/address-shapes.ts'
import { crawlFacts } from '../facts/crawl-facts.ts'
import type { CopyTotals, Facts } from '../facts/facts.ts'
import type { KnownQueries } from '../facts/known-queries.ts'
import { type Views, viewsOfAnswers } from '../facts/views.ts'
import { splitOffRenderings, withRenderedLinks } from '../render/render-offers.ts'
import { type RenderMode, RenderTerms } from '../render/render-terms.ts'
import { byChance } from './by-chance.ts'
import { type Composition, type InQuality, inQuality } from './composition.ts'
import { ofPages } from './of-pages.ts'
import type { NotedFetch, Plan, Planner, PlanRequest } from './plan.ts'

export interface BudgetSetup {
  readonly composition: Composition
  /** What the crawl has learnt from its fetches so far; it goes on learning. */
  readonly lessons: Lessons
  /** What searchers ask, where a bidder for new pages reads it. */
  readonly queries?: KnownQueries
  /** How often searchers see each copy, where no bidder for new pages knows. */
  readonly views?: () => Views | undefined
  /** Predictions are taken as they are, as what came of those of all buckets nobody knows. */
  readonly isUncorrected?: boolean
  /** All copies, where others hold some of them. */
  readonly copies?: CopyTotals
  /** What was left of each share, in fetches, when the crawl was left. */
  readonly owed?: Parts
  /** Copies younger than this are not fetched again. */
  readonly freshForSeconds?: number
  /** This share of the fetches is sampled at random. */
  readonly randomShare?: number
  /** What the last fetch was worth when the crawl was left. */
  readonly price?: number
  /** Which pages are rendered; none if left out. */
  readonly render?: RenderMode
}

const NO_URLS = new Uint32Array(0)

/** A day: what changes faster than that, few searchers notice. */
export const FRESH_FOR_SECONDS = SECONDS_A_DAY

/** What a budget planner knows of the crawl; corrections are those that count for its bids. */
export type PlannerKnowledge = Pick<Lessons, 'frontier' | 'histories' | 'watch' | 'corrections'>

type DraftRequest = Pick<
  PlanRequest,
  'now' | 'seed' | 'candidates' | 'isUnderWay' | 'limits' | 'budget'
>

/** What a plan goes by. */
export interface Draft {
  readonly facts: Facts
  readonly acquire: Bids
  /** Where pages may be rendered. */
  readonly rendering?: RenderOffers
  /** All bids before corrections and prices; undefined before there is anything to judge copies by. */
  readonly offers?: Offers
  readonly views?: Views
  readonly terms?: RenderTerms
}

/**
 * Plans new pages, copies and links together, from what a crawl has learnt so far: in one currency, or by
 * fixed shares. Before there are queries to go by, it fetches new pages only.
 */
export class BudgetPlanner implements Planner {
  readonly #setup: BudgetSetup
  readonly #shapes: AddressShapes
  readonly #inQuality: InQuality
  readonly #known: PlannerKnowledge
  readonly #oneBudget: OneBudget
  readonly #split: SplitBudget | undefined
  /** By candidates: seeds and others are planned one after the other, from one draft. */
  readonly #drafts = new WeakMap<Uint32Array, Draft>()

  constructor(setup: BudgetSetup) {
    const { composition, lessons, owed, price, isUncorrected = false } = setup
    this.#setup = setup
    this.#inQuality = inQuality(composition)
    const { acquire, refresh } = this.#inQuality
    // What is not in quality.
    const isExempt = { acquire: !acquire || isUncorrected, refresh: !refresh || isUncorrected }
    const { frontier, histories, corrections, watch } = lessons
    this.#shapes = new AddressShapes(frontier.urls)
    this.#known = { frontier, histories, watch, corrections: corrections.exempting(isExempt) }
    this.#oneBudget = new OneBudget(price)
    this.#split = composition.shares && new SplitBudget(composition.shares, owed)
  }

  /** What was learnt of pages, about its own predictions, and about classes of URLs that behave unlike before. */
  get learnt(): PlannerKnowledge {
    return this.#known
  }

  /** By task: whether bids can be compared with what was gained. */
  get isInQuality(): InQuality {
    return this.#inQuality
  }

  get price(): number {
    return this.#oneBudget.price
  }

  /** What is left of each share, in fetches, where shares are fixed. */
  get owed(): Parts | undefined {
    return this.#split?.owed
  }

  async renew(): Promise<void> {
    await this.#setup.queries?.renew()
  }

  setQueries(queries: readonly AskedQuery[]): void {
    this.#setup.queries?.setQueries(queries)
  }

  plan(request: PlanRequest): Plan {
    const { reserve, otherBids, seed, now } = request
    const { acquire, rendering, offers, views, terms } = this.drafted(request)
    const costOf = terms && ((url: number) => terms.costOf(url))
    const limits = costOf ? { ...request.limits, costOf } : request.limits
    const all = (bids: readonly Bids[]) => [...otherBids, ...bids]
    if (offers === undefined || views === undefined) {
      // On a site of frames nothing can be asked about before one is rendered.
      const frames = rendering ? [perFetch(rendering.first, rendering.costOf)] : []
      const bids = all([acquire, ...frames])
      const fetches = planFetches(bids, limits)
      const affords = reachOf(acquire, request.affords, reserve)
      return { fetches, reserved: reservedFetches(bids, fetches, affords, reserve, limits) }
    }
    const { bids, affords } = this.#bidsInTime(offers, request)
    const outlook = this.#outlookOn(bids)
    const noted = (fetches: readonly PlannedFetch[], reserved: readonly PlannedFetch[]) => {
      const predictable = correctable(offers, this.#inQuality)
      return {
        fetches: withNotes(fetches, predictable, views),
        reserved: withNotes(reserved, predictable, views),
        outlook,
      }
    }
    if (this.#split) {
      const fetches = this.#split.plan(bids, limits, otherBids)
      return noted(fetches, this.#split.reserved(bids, fetches, affords, reserve, limits))
    }
    const random = seededRandom(seed).fork(`random fetches ${now}`)
    const { randomShare } = this.#setup
    const spending = { limits, affords, random, randomShare }
    const { fetches, price } = this.#oneBudget.plan(bids, spending, otherBids)
    return {
      ...noted(fetches, reservedFetches(all(bids), fetches, affords, reserve, limits)),
      price,
    }
  }

  /** What offers come to, corrected and in one currency, where so many fetches can be afforded. */
  bidsOf(offers: Offers, affords: number): Bids[] {
    // A split's third share is for revisits: what new pages may show is no reason of its own there.
    const discover = this.#split ? ofCopies(offers.discover) : offers.discover
    return bidsInOneCurrency({ ...offers, discover }, this.#known.corrections, affords)
  }

  /** The bids, and how many of the best a budget reaches down to where hosts can take only so many in time. */
  #bidsInTime(offers: Offers, { affords, reserve }: PlanRequest) {
    const bids = this.bidsOf(offers, affords)
    const reach = reachOf(addedBids(bids), affords, reserve)
    return { bids: reach === affords ? bids : this.bidsOf(offers, reach), affords: reach }
  }

  costOf(url: number): number {
    const { render, lessons } = this.#setup
    return (render && new RenderTerms(lessons, render).costOf(url)) || 1
  }

  /** Until when a copy is too young to be fetched again. */
  freshUntil(url: number): number {
    const { freshForSeconds = FRESH_FOR_SECONDS, render } = this.#setup
    const { frontier } = this.#known
    if (render && frontier.renderings.signOf(url) !== undefined) return 0
    return frontier.lastVisitOf(url) + freshForSeconds
  }

  /** The draft for these candidates: the one that a plan was made from, if there was one. */
  drafted(request: DraftRequest): Draft {
    const draft = this.#drafts.get(request.candidates) ?? this.draft(request)
    this.#drafts.set(request.candidates, draft)
    return draft
  }

  /** The facts of a plan, and everybody's bids. Of a URL that is asked about there are bids however young its copy is. */
  draft(request: DraftRequest, asked?: number): Draft {
    const {
      acquire: acquirer,
      refresh: refresher,
      discover: discoverer,
    } = this.#setup.composition.bidders
    const { render, lessons } = this.#setup
    const terms = render && new RenderTerms(lessons, render)
    const { facts, views } = this.#factsFor(request, terms, asked)
    const { addresses } = this.#known.frontier
    const all = acquirer ? this.#newPages(acquirer.bids(facts)) : noBids('acquire')
    const correct = (bids: Bids) => correctedBids(this.#known.corrections, 'acquire', bids)
    const { acquire, rendering } = terms
      ? splitOffRenderings(all, terms, correct, this.#inQuality.acquire)
      : { acquire: all }
    const seen = views()
    if (seen === undefined) return { facts, acquire, rendering, terms }
    const links = discoverer ? byChance(discoverer.bids(facts), addresses) : noBids('discover')
    const offers = {
      acquire,
      refresh: refresher ? refresher.bids(facts) : noBids('refresh'),
      discover: terms ? withRenderedLinks(links, terms) : links,
      // Where nobody says what pages are worth, all links are worth the same.
      worthOfLink: this.#inQuality.acquire ? worthOfLinks(this.#known, acquire) : () => 1,
      rendering,
    }
    return { facts, acquire, offers, views: seen, terms }
  }

  /** Bids for new pages as far as such addresses came true. In quality, sitemaps and feeds are no pages: nobody searches for them. */
  #newPages(bids: Bids): Bids {
    const { frontier } = this.#known
    const likely = byChance(bids, frontier.addresses)
    return this.#inQuality.acquire ? ofPages(likely, frontier) : likely
  }

  /** Frames that await rendering are pages never seen: they are bid for as such, and not as copies. */
  #factsFor(request: DraftRequest, terms: RenderTerms | undefined, askedAbout?: number) {
    const { now, seed, isUnderWay, limits, budget = limits.budget } = request
    const { lessons, queries, copies, freshForSeconds = FRESH_FOR_SECONDS } = this.#setup
    const { asked, synthetic } = queries ?? {}
    const frames = terms?.awaiting((url) => !isUnderWay(url)) ?? NO_URLS
    const candidates = frames.length > 0 ? merged(request.candidates, frames) : request.candidates
    const mayRefetch = (url: number, age: number) =>
      terms?.isAwaiting(url) !== true &&
      (url === askedAbout || (age >= freshForSeconds && !isUnderWay(url)))
    let known: Views | undefined
    const views = () => {
      known ??= this.#viewsBy(facts)
      return known
    }
    const facts: Facts = crawlFacts(
      { lessons, shapes: this.#shapes, asked, synthetic, copies },
      { now, seed, budget, candidates, mayRefetch },
      views,
    )
    return { facts, views }
  }

  /** What searchers see, by the queries that new pages are sought for, or else as told. */
  #viewsBy(facts: Facts): Views | undefined {
    const { composition, views } = this.#setup
    const { acquire } = composition.bidders
    const answered = acquire && readsQueries(acquire) ? (facts.asked ?? facts.synthetic) : undefined
    if (answered === undefined) return views?.()
    return viewsOfAnswers({ queries: answered.queries, answers: answered.review.answers })
  }

  /** What so many fetches, those of this plan first, are expected to gain; unknown where bids are not in quality. */
  #outlookOn(bids: readonly Bids[]): Plan['outlook'] {
    if (!this.#inQuality.acquire || !this.#inQuality.refresh) return undefined
    const split = this.#split?.copy() // planning changes what it owes
    return (fetches) => (split ? split.outlook(bids, fetches) : outlookOf(bids, fetches))
  }
}

/** Two lists of numbers, ascending, as one. */
function merged(some: Uint32Array, others: Uint32Array): Uint32Array {
  const all = new Uint32Array(some.length + others.length)
  all.set(some)
  all.set(others, some.length)
  return all.sort()
}

/**
 * What of offers can be corrected by what came: links of new pages only beside the pages' own quality, by
 * which they are told from those of copies.
 */
function correctable(offers: Offers, isQuality: InQuality): Offers {
  const { acquire, refresh, discover } = offers
  return {
    ...offers,
    acquire: isQuality.acquire ? acquire : noBids('acquire'),
    refresh: isQuality.refresh ? refresh : noBids('refresh'),
    discover: isQuality.acquire ? discover : ofCopies(discover),
  }
}

function withNotes(
  fetches: readonly PlannedFetch[],
  offers: Offers,
  { byUrl }: Views,
): NotedFetch[] {
  const predictions = predictionsOf(
    offers,
    fetches.map(({ url }) => url),
  )
  return fetches.map((fetch, i) => ({
    ...fetch,
    prediction: predictions[i],
    views: byUrl.get(fetch.url) ?? 0,
  }))
}
