import { impactBidder } from '../acquire/impact.ts'
import { PAPER_BIDDERS } from '../acquire/paper/paper-policies.ts'
import type { Bidder } from '../bidder.ts'
import type { Purpose } from '../bids.ts'
import { yieldBidder } from '../discover/yield.ts'
import { LINK_ORDERS } from '../orders/link-orders.ts'
import { nutchAdaptive, uniformRefresh } from '../refresh/by-age.ts'
import { azarRefresh, lambdaCrawl, weightedFreshness } from '../refresh/by-fetch-rate.ts'
import { qualityRefresh, viewsRefresh } from '../refresh/quality.ts'
import { userCentric, userCentricByViews } from '../refresh/user-centric.ts'

/**
 * Everybody who bids. A new policy is one file with one `Bidder`, and one line here: then `crawl`, `plan`, `explain`,
 * `split:…` and the experiments know it, and the contract test runs over it.
 */
const BIDDERS: readonly Bidder[] = [
  ...LINK_ORDERS,
  impactBidder,
  ...PAPER_BIDDERS,
  uniformRefresh,
  nutchAdaptive,
  userCentric,
  userCentricByViews,
  weightedFreshness,
  azarRefresh,
  lambdaCrawl,
  viewsRefresh,
  qualityRefresh,
  yieldBidder,
]

/** Names that bidders had once, and those that took their place. */
const FORMER_NAMES: Readonly<Record<string, string>> = {
  clicks: 'views',
  'uc-clicks': 'uc-views',
}

/** The bidders there are, by name: ours, and perhaps a user's own. */
export class Registry {
  readonly #bidders: ReadonlyMap<string, Bidder>

  constructor(bidders: readonly Bidder[] = BIDDERS) {
    this.#bidders = new Map(bidders.map((bidder) => [bidder.name, bidder]))
  }

  /** The same with a user's own, which go before ours of that name. */
  with(own: readonly Bidder[]): Registry {
    return own.length === 0 ? this : new Registry([...this.#bidders.values(), ...own])
  }

  all(): readonly Bidder[] {
    return [...this.#bidders.values()]
  }

  /** Those who bid for a task. */
  of(task: Purpose): readonly Bidder[] {
    return this.all().filter((bidder) => bidder.task === task)
  }

  /** The bidder of that name, or of one that it had once. */
  named(name: string): Bidder | undefined {
    return this.#bidders.get(name) ?? this.#bidders.get(FORMER_NAMES[name] ?? '')
  }
}

/** Our own bidders. */
export const REGISTRY = new Registry()

/** What a bidder is called now that had this name once; undefined if none had. */
export function renamedTo(name: string): string | undefined {
  return Object.hasOwn(FORMER_NAMES, name) ? FORMER_NAMES[name] : undefined
}
