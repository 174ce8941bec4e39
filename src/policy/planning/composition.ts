import type { Bidder } from '../bidder.ts'
import { needsViews, readsQueries } from '../bidder.ts'
import type { Purpose } from '../bids.ts'
import type { Parts } from '../budget/added-bids.ts'

/** A crawl's policy: who bids for what, and how one budget is spent on it. */
export interface Composition {
  /** As users type it. */
  readonly name: string
  /**
   * `alone`: one bidder orders new pages, and nothing else is fetched. `one currency`: all bids compete for every fetch.
   * `shares`: each task has a fixed share.
   */
  readonly spends: 'alone' | 'one currency' | 'shares'
  readonly bidders: { readonly [Task in Purpose]?: Bidder }
  /** Fixed shares that sum to 1. */
  readonly shares?: Parts
}

/** The policy of one bidder that orders new pages, and fetches nothing else. */
export function alone(bidder: Bidder): Composition {
  return { name: bidder.name, spends: 'alone', bidders: { acquire: bidder } }
}

/** By task: whether all that is bid is quality, so that bids can be compared with what was gained. */
export interface InQuality {
  readonly acquire: boolean
  readonly refresh: boolean
}

/** By task: whether all that is bid is quality. */
export function inQuality({ bidders: { acquire, refresh } }: Composition): InQuality {
  return {
    acquire: acquire === undefined || acquire.unit === 'quality',
    refresh: refresh === undefined || refresh.unit === 'quality',
  }
}

/** Whether a policy says what it expects in quality. */
export function predictsQuality(composition: Composition): boolean {
  const { acquire, refresh } = inQuality(composition)
  return acquire && refresh
}

/** Whether a policy fetches copies and links too, not new pages alone. */
export function spendsOnCopies({ spends }: Composition): boolean {
  return spends !== 'alone'
}

/** Whether a policy can do nothing without the index. */
export function needsIndex(composition: Composition): boolean {
  const { acquire } = composition.bidders
  return spendsOnCopies(composition) || (acquire !== undefined && readsQueries(acquire))
}

/** Whether no copy is ever fetched again where there are no queries: nobody synthesises any, and views are needed. */
export function isIdleWithoutQueries({ bidders: { acquire, refresh } }: Composition): boolean {
  const synthesises = acquire !== undefined && readsQueries(acquire)
  return !synthesises && refresh !== undefined && needsViews(refresh)
}
