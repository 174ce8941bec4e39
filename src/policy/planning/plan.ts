import type { Prediction } from '#learn/corrections/corrections.ts'
import type { Bids } from '../bids.ts'
import type { Outlook } from '../budget/outlook.ts'
import type { Reserve } from '../budget/reserve.ts'
import type { FetchLimits, PlannedFetch } from '../budget/scheduler.ts'
import type { AskedQuery } from '../facts/acquisition-facts.ts'

/** What is to be planned. */
export interface PlanRequest {
  readonly now: number
  readonly seed: number
  /** URLs that may be fetched for the first time, ascending. */
  readonly candidates: Uint32Array
  /** Whether a fetch was sent and is not answered yet, or its origin is left alone for now. */
  readonly isUnderWay: (url: number) => boolean
  readonly limits: FetchLimits
  /** Fetches until there is a new plan; the limits' own if left out, but those may be for a part of them. */
  readonly budget?: number
  /** Fetches that the crawl may still make in all. */
  readonly affords: number
  /** Bids beside the planner's own: for copies that must not grow older. */
  readonly otherBids: readonly Bids[]
  /** What hosts are to be kept busy with beside the plan's own fetches; nothing if left out. */
  readonly reserve?: Reserve
}

/** A fetch, and what is to be remembered of it until it is answered. */
export interface NotedFetch extends PlannedFetch {
  /** What was predicted before corrections. */
  readonly prediction?: Prediction
  /** How often searchers see the copy. */
  readonly views?: number
}

/** The next fetches, best first. */
export interface Plan {
  readonly fetches: readonly NotedFetch[]
  /** Those of them that wait until their site's sitemaps and feeds were read. */
  readonly held?: ReadonlySet<number>
  /** Further ones above the price, for hosts that would be idle; best first. */
  readonly reserved?: readonly NotedFetch[]
  /** What the last fetch that can be afforded is worth, where bids are in one currency. */
  readonly price?: number
  /** What the next so many fetches, this cycle's and later ones, are expected to gain, where bids are in quality. */
  readonly outlook?: (fetches: number) => Outlook
}

/** Whoever plans a crawl's fetches, by what the crawl knows. */
export interface Planner {
  /** To be awaited before a plan. */
  renew(): Promise<void>
  plan(request: PlanRequest): Plan
  /** What a fetch of the URL would cost if it were planned now; 1 if it does not say. */
  costOf?(url: number): number
  /** What searchers ask by now; from the next plan on it counts. */
  setQueries?(queries: readonly AskedQuery[]): void
}
