import type { Prediction } from '#learn/corrections/corrections.ts'
import type { ObservedFetch } from '#learn/histories.ts'
import type { Purpose } from '#policy/bids.ts'

/** The fetches of one week, best first. */
export interface WeekPlan {
  readonly fetches: readonly { readonly url: number; readonly purpose: Purpose }[]
  /** By fetch: what was predicted of it. */
  readonly predictions?: readonly Prediction[]
  /** What the last fetch is worth, where the planner has a price. */
  readonly price?: number
  /** Now and then: how far the values of candidates go in the order of the true ones, −1 to 1. */
  readonly valueCorrelation?: number
}

/** Whoever plans the weeks of a simulated crawl. */
export interface WeekPlanner {
  plan(week: number, budget: number): WeekPlan
  /** Takes up fetches; `predictions` go with them, if there was a plan. */
  learn(fetches: readonly ObservedFetch[], predictions?: readonly Prediction[]): void
}
