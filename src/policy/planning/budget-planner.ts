import { SECONDS_A_DAY } from '#learn/histories.ts'
import type { Lessons } from '#learn/lessons.ts'
import { seededRandom } from '#numeric/random.ts'
import { type Bidder, readsQueries } from '../bidder.ts'
import { type Bids, noBids } from '../bids.ts'
import { addedBids, type Parts } from '../budget/added-bids.ts'
import {
  bidsInOneCurrency,
  type Offers,
  OneBudget,
  type RenderOffers,
} from '../budget/one-budget.ts'
import { correctedBids, ofCopies, perFetch, predictionsOf } from '../budget/one-currency.ts'
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
import { byChance, ofPages } from './by-chance.ts'
import {
  alone,
  type Composition,
  type InQuality,
  inQuality,
  spendsOnCopies,
} from './composition.ts'
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

type DraftRequest = Pick<PlanRequest, 'now' | 'seed' | 'candidates' | 'limits' | 'budget'> &
  Partial<Pick<PlanRequest, 'isUnderWay'>>

/** What a plan goes by. */
export interface Draft {
  readonly facts: Facts
  readonly acquire: Bids
  /** Where pages may be rendered. */
  readonly rendering?: RenderOffers
  /** All bids before corrections and prices; undefined where only new pages are fetched, or nothing tells what copies are worth yet. */
  readonly offers?: Offers
  readonly views?: Views
  readonly terms?: RenderTerms
}

/**
 * Plans by a composition of bidders, from what a crawl has learnt so far: new pages, copies and links in one currency or by
 * fixed shares, or new pages alone. Before there are queries to go by, it fetches new pages only.
 */
export class BudgetPlanner implements Planner {
  readonly #setup: BudgetSetup
  readonly #shapes: AddressShapes
  readonly #inQuality: InQuality
  /** Whether one bidder orders new pages, and nothing else is fetched. */
  readonly isAlone: boolean
  readonly #known: PlannerKnowledge
  readonly #oneBudget: OneBudget
  readonly #split: SplitBudget | undefined
  /** By candidates: seeds and others are planned one after the other, from one draft. */
  readonly #drafts = new WeakMap<Uint32Array, Draft>()

  constructor(setup: BudgetSetup) {
    const { composition, lessons, owed, price, isUncorrected = false } = setup
    this.#setup = setup
    this.#inQuality = inQuality(composition)
    this.isAlone = !spendsOnCopies(composition)
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
    const draft = this.drafted(request)
    const { acquire, rendering, offers, views, terms } = draft
    const costOf = terms && ((url: number) => terms.costOf(url))
    const limits = costOf ? { ...request.limits, costOf } : request.limits
    const all = (bids: readonly Bids[]) => [...otherBids, ...bids]
    if (offers === undefined || views === undefined) {
      // On a site of frames nothing can be asked about before one is rendered.
      const frames = rendering ? [perFetch(rendering.first, rendering.costOf)] : []
      const bids = all([acquire, ...frames])
      const fetches = planFetches(bids, limits)
      const affords = reachOf(addedBids(bids), request.affords, reserve)
      const reserved = reservedFetches(bids, fetches, affords, reserve, limits)
      return { fetches, reserved, outlook: this.#outlookOnNew(draft) }
    }
    const { bids, affords } = this.#bidsInTime(offers, request)
    const outlook = this.#outlookOn(bids)
    const noted = (fetches: readonly PlannedFetch[], reserved: readonly PlannedFetch[]) => {
      const notesOf = (of: readonly PlannedFetch[]) => withNotes(of, offers, this.#inQuality, views)
      return { fetches: notesOf(fetches), reserved: notesOf(reserved), outlook }
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

  /** Until when a copy is too young to be fetched again; 0 where none ever is. */
  freshUntil(url: number): number {
    const { freshForSeconds = FRESH_FOR_SECONDS, render } = this.#setup
    const { frontier } = this.#known
    if (this.isAlone) return 0
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

  /**
   * Bids for new pages as far as such addresses came true. In quality, sitemaps and feeds are no pages: nobody searches for
   * them. Where nobody bids for links, they are asked for like any page.
   */
  #newPages(bids: Bids): Bids {
    const { frontier } = this.#known
    const likely = byChance(bids, frontier.addresses)
    return this.#inQuality.acquire && !this.isAlone ? ofPages(likely, frontier) : likely
  }

  /** Frames that await rendering are pages never seen: they are bid for as such, and not as copies. */
  #factsFor(request: DraftRequest, terms: RenderTerms | undefined, askedAbout?: number) {
    const { now, seed, isUnderWay = () => false, limits, budget = limits.budget } = request
    const { lessons, queries, copies, freshForSeconds = FRESH_FOR_SECONDS } = this.#setup
    const { asked, synthetic } = queries ?? {}
    const frames = terms?.awaiting((url) => !isUnderWay(url)) ?? NO_URLS
    const candidates = frames.length > 0 ? merged(request.candidates, frames) : request.candidates
    // Where nobody bids for copies, the pages held are all of them.
    const mayRefetch = (url: number, age: number) =>
      this.isAlone ||
      (terms?.isAwaiting(url) !== true &&
        (url === askedAbout || (age >= freshForSeconds && !isUnderWay(url))))
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
    if (this.isAlone) return undefined
    const answered = this.#answeredIn(facts)
    if (answered === undefined) return this.#setup.views?.()
    return viewsOfAnswers({ queries: answered.queries, answers: answered.review.answers })
  }

  /** The queries that new pages are sought for, if they are. */
  #answeredIn(facts: Facts) {
    const { acquire } = this.#setup.composition.bidders
    return acquire && readsQueries(acquire) ? (facts.asked ?? facts.synthetic) : undefined
  }

  /** What so many new pages are expected to gain; unknown where bids are not in quality, or no query is known. */
  #outlookOnNew({ facts, acquire }: Draft): Plan['outlook'] {
    if (!this.#inQuality.acquire || this.#answeredIn(facts) === undefined) return undefined
    return (fetches) => outlookOf([acquire], fetches)
  }

  /** What so many fetches, those of this plan first, are expected to gain; unknown where bids are not in quality. */
  #outlookOn(bids: readonly Bids[]): Plan['outlook'] {
    if (!this.#inQuality.acquire || !this.#inQuality.refresh) return undefined
    const split = this.#split?.copy() // planning changes what it owes
    return (fetches) => (split ? split.outlook(bids, fetches) : outlookOf(bids, fetches))
  }
}

/** The planner of one bidder that orders new pages. It needs queries if it reads them. */
export function newPagesPlanner(
  bidder: Bidder,
  lessons: Lessons,
  queries?: KnownQueries,
): BudgetPlanner {
  return new BudgetPlanner({ composition: alone(bidder), lessons, queries })
}

/** Two lists of numbers, ascending, as one. */
function merged(some: Uint32Array, others: Uint32Array): Uint32Array {
  const all = new Uint32Array(some.length + others.length)
  all.set(some)
  all.set(others, some.length)
  return all.sort()
}

function withNotes(
  fetches: readonly PlannedFetch[],
  offers: Offers,
  inQuality: InQuality,
  { byUrl }: Views,
): NotedFetch[] {
  const urls = fetches.map(({ url }) => url)
  const predictions = predictionsOf(offers, urls, inQuality)
  return fetches.map((fetch, i) => ({
    ...fetch,
    prediction: predictions[i],
    views: byUrl.get(fetch.url) ?? 0,
  }))
}
