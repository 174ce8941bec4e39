import type { Corrections } from '#learn/corrections/corrections.ts'
import type { Random } from '#numeric/random.ts'
import type { Bids } from '../bids.ts'
import { addedBids } from './added-bids.ts'
import {
  atLeast,
  correctedBids,
  correctedLinks,
  overHorizon,
  perFetch,
  repriced,
} from './one-currency.ts'
import { marginalGain, smoothedPrice } from './price.ts'
import { randomCount, withRandomFetches } from './random-fetches.ts'
import { type FetchLimits, type PlannedFetch, planFetches } from './scheduler.ts'

/** This share of the fetches is sampled at random, to learn what the others leave out. */
export const RANDOM_SHARE = 0.02

/** What bidders offer for every URL that may be fetched, before anything is corrected or priced. */
export interface Offers {
  /** New pages, in quality. */
  readonly acquire: Bids
  /** Copies, in quality × days, with the quality expected at once. */
  readonly refresh: Bids
  /** Links that copies and new pages will reveal. */
  readonly discover: Bids
  /** What a link found through the URL is worth a day beyond the price of fetching its page. */
  readonly worthOfLink: (url: number, price: number) => number
  /** Where pages may be rendered. */
  readonly rendering?: RenderOffers
}

/** What renderings offer beside plain fetches. */
export interface RenderOffers {
  /** Pages that would be rendered for the first time, in quality. */
  readonly first: Bids
  /** By place in these: what the page is predicted to be worth, if rendering brings all of it. */
  readonly predictions: Float64Array
  readonly isFirst: (url: number) => boolean
  /** What a fetch of the URL costs if it is to be rendered. */
  readonly costOf: (url: number) => number | undefined
  /** What it is worth at a price that new pages may turn out to need a rendering. */
  readonly options: (price: number) => Bids
}

/** How a budget is spent. */
export interface Spending {
  readonly limits: FetchLimits
  /** Fetches that there are in all before prices must be computed again; the budget of this plan, or more. */
  readonly affords: number
  readonly random: Random
  readonly randomShare?: number
}

/** A plan, and the price it was made at. */
interface PricedPlan {
  readonly fetches: readonly PlannedFetch[]
  /** What the last affordable fetch is worth, quality × days: 0 where all can be afforded. One plan moves it slowly. */
  readonly price: number
}

/**
 * All bids in one currency, quality × days: those for one URL add up to what its fetch is worth. Links are
 * weighed against what the last fetch that can be afforded would be worth if there were no links to find:
 * prices of earlier plans lag behind while a crawl works off the best of what it knows.
 */
export function bidsInOneCurrency(
  offers: Offers,
  corrections: Corrections,
  affords: number,
): Bids[] {
  const { rendering } = offers
  if (rendering) return bidsWithRenderings({ ...offers, rendering }, corrections, affords)
  const content = contentOf(offers, corrections)
  const price = marginalGain(addedBids([content.newPages, content.copies]).gains, affords)
  return bidsAtPrice(offers, content, corrections, price)
}

/** What makes the price that links are weighed against: all there is but links, in quality × days. */
export interface Content {
  readonly newPages: Bids
  readonly copies: Bids
}

/** Bids for new pages and copies, corrected, before there is a price. */
export function contentOf(
  { acquire, refresh }: Pick<Offers, 'acquire' | 'refresh'>,
  corrections: Corrections,
): Content {
  return {
    newPages: overHorizon(correctedBids(corrections, 'acquire', acquire)),
    copies: correctedBids(corrections, 'refresh', refresh),
  }
}

/** All bids at the price of content, wherever that was found. */
export function bidsAtPrice(
  { discover, worthOfLink }: Pick<Offers, 'discover' | 'worthOfLink'>,
  { newPages, copies }: Content,
  corrections: Corrections,
  price: number,
): Bids[] {
  const links = correctedLinks(corrections, discover)
  return [newPages, atLeast(copies, price), repriced(links, (url) => worthOfLink(url, price))]
}

/** The same where some fetches cost more than others: every bid is what each of its fetches is worth. */
function bidsWithRenderings(
  { acquire, refresh, discover, worthOfLink, rendering }: Offers & { rendering: RenderOffers },
  corrections: Corrections,
  affords: number,
): Bids[] {
  const { first, costOf, isFirst, options } = rendering
  const ofEach = (bids: Bids) => perFetch(bids, costOf)
  const newPages = ofEach(overHorizon(correctedBids(corrections, 'acquire', acquire)))
  const rendered = ofEach(overHorizon(first))
  const copies = ofEach(correctedBids(corrections, 'refresh', refresh))
  const { urls, gains } = addedBids([newPages, rendered, copies])
  const price = marginalGain(gains, affords, (place) => costOf(urls[place]))
  const links = correctedLinks(corrections, discover, isFirst)
  return [
    newPages,
    rendered,
    ofEach(options(price)),
    atLeast(copies, price),
    ofEach(repriced(links, (url) => worthOfLink(url, price))),
  ]
}

/**
 * Spends one budget on whatever is worth most: pages never fetched, copies gone stale and places where new
 * pages appear. No shares are set: how the budget divides is a result.
 */
export class OneBudget {
  #price: number | undefined

  /** The price as it was left, if there is one. */
  constructor(price?: number) {
    this.#price = price
  }

  get price(): number {
    return this.#price ?? 0
  }

  /**
   * The best of bids in one currency, and the price they make. Bids of `others`, which are to come before all
   * else, are added but make no price.
   */
  plan(bids: readonly Bids[], spending: Spending, others: readonly Bids[] = []): PricedPlan {
    const { limits, affords, random, randomShare = RANDOM_SHARE } = spending
    const priced = addedBids(bids)
    const { costOf } = limits
    const costAt = costOf && ((place: number) => costOf(priced.urls[place]))
    this.#price = smoothedPrice(this.#price, marginalGain(priced.gains, affords, costAt))
    const all = [...others, ...bids]
    const added = others.length > 0 ? addedBids(all) : priced
    const plan = planFetches(all, limits, added)
    const count = randomCount(limits.budget, randomShare, random)
    return {
      fetches: withRandomFetches(plan, all, count, limits, random, added),
      price: this.#price,
    }
  }
}
