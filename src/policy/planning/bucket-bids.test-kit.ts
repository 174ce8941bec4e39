import type { Corrections } from '#learn/corrections/corrections.ts'
import type { Keyed } from '#numeric/select/digit-counts.ts'
import type { Cut } from '#numeric/select/select-digits.ts'
import type { Bids } from '../bids.ts'
import { type AddedBids, addedBids, bidSumsOf } from '../budget/added-bids.ts'
import { bidsAtPrice, type Content, contentOf } from '../budget/one-budget.ts'
import { countAbove, type InOrder, planAbove } from '../budget/plan-above.ts'
import { OpenBids, sampledFetches } from '../budget/random-fetches.ts'
import { type FetchLimits, type PlannedFetch, planned } from '../budget/scheduler.ts'
import { type LotSalt, lotsBy, tieKeys } from '../budget/ties.ts'
import type { SharedLinkParts, SharedLinkSums } from '../discover/links-worth.ts'
import { linkParts, type OfferColumns, offersOf } from './offer-columns.test-kit.ts'

/** What is drawn of a bucket, and by what it is ordered among all that are drawn: the lowest lot has the largest value. */
interface Drawn {
  readonly open: number
  readonly lots: InOrder
}

/** What one bucket does of a plan of many. It asks nobody: whatever concerns all of them is handed in. */
export class BucketBids {
  readonly #columns: OfferColumns
  readonly #corrections: Corrections
  readonly #limits: FetchLimits
  readonly #content: Content
  #bids: readonly Bids[] = []
  #added: AddedBids = { urls: new Uint32Array(), gains: new Float64Array() }

  /** The budget among the limits is that of all buckets together. */
  constructor(columns: OfferColumns, corrections: Corrections, limits: FetchLimits) {
    this.#columns = columns
    this.#corrections = corrections
    this.#limits = limits
    const explained = (bids: Omit<Bids, 'why'>): Bids => ({ ...bids, why: () => '' })
    const { acquire, refresh } = columns
    const offered = { acquire: explained(acquire), refresh: explained(refresh) }
    this.#content = contentOf(offered, corrections)
  }

  /** What makes the price of content. */
  contentKeys(): Keyed {
    const { newPages, copies } = this.#content
    return { values: addedBids([newPages, copies]).gains }
  }

  linkParts(price: number): SharedLinkParts | undefined {
    return linkParts(this.#columns, price)
  }

  /** Makes the bids, at the price of content and by what all links come to. */
  bidAt(price: number, links: SharedLinkSums | undefined): void {
    const offers = offersOf(this.#columns, price, links)
    this.#bids = bidsAtPrice(offers, this.#content, this.#corrections, price)
    this.#added = addedBids(this.#bids)
  }

  /** What makes the price of the last fetch. */
  bidKeys(): Keyed {
    return { values: this.#added.gains }
  }

  /** What quotas leave room for, best first, down to a floor. */
  planAbove(floor: number): InOrder {
    return planAbove(this.#added, floor, this.#limits)
  }

  /** The fetches down to the cut. */
  fetchesTo(list: InOrder, cut: Cut | undefined): PlannedFetch[] {
    const urls = list.urls.subarray(0, countAbove(list, cut))
    const sums = bidSumsOf(this.#bids, urls)
    return Array.from(urls, (url, i) => planned(url, list.values[i], sums[i]))
  }

  /** Of what is open beside those kept, so many of the lowest lots. */
  draw(kept: readonly PlannedFetch[], most: number, salt: LotSalt): Drawn {
    const open = new OpenBids(this.#added.urls, kept, this.#limits)
    const drawn = open.byLot(most, lotsBy(salt, this.#limits))
    const keys = tieKeys(this.#limits)
    const urls = Uint32Array.from(drawn, ({ url }) => url)
    return {
      open: open.count,
      lots: {
        urls,
        values: Float64Array.from(drawn, ({ lot }) => 1 - lot),
        first: urls.map((url) => keys.first(url)),
        second: urls.map((url) => keys.second(url)),
      },
    }
  }

  /** Those drawn down to the cut, with the chance that all had. */
  sampledTo({ urls, ...keys }: InOrder, cut: Cut | undefined, probability: number): PlannedFetch[] {
    const count = countAbove({ urls, ...keys }, cut)
    return sampledFetches(this.#bids, [...urls.subarray(0, count)], probability)
  }
}
