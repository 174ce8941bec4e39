import type { Bids, Purpose } from './bids.ts'
import type { FactName, Facts } from './facts/facts.ts'

/**
 * Whoever bids for fetches: the baselines, the policies of papers, ours, and users' own. It holds no state, does no
 * I/O and asks no clock: the same facts lead to the same bids.
 */
export interface Bidder {
  /** What users type. */
  readonly name: string
  /** One line for `--help`. */
  readonly summary: string
  /** What its fetches are for. `acquire` bids for candidates, `refresh` for pages held, `discover` for either. */
  readonly task: Purpose
  /**
   * `quality`: what searchers gain, a search; for copies and links times days. Such bids can be added, priced, and
   * corrected by what came of them. `rank`: only the order counts.
   */
  readonly unit: 'quality' | 'rank'
  /** The facts that it reads; all others are out of its sight. `now`, `seed` and `budget` are there for everybody. */
  readonly needs: readonly FactName[]
  /** Chooses the neediest queries itself, by `asked.needyShare`; for others the weightiest are chosen. */
  readonly choosesNeedy?: boolean
  bids(facts: Facts): Bids
}

/** Whether a bidder goes by what searchers ask. */
export function readsQueries({ needs }: Pick<Bidder, 'needs'>): boolean {
  return needs.includes('asked')
}

/** Whether it bids nothing where nobody knows which copies searchers see. */
export function needsViews({ needs }: Pick<Bidder, 'needs'>): boolean {
  return needs.includes('views')
}
