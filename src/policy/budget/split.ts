import { LazyOrder } from '#numeric/lazy-order.ts'
import { type Bids, PURPOSES, type Purpose } from '../bids.ts'
import { addedBids, bidSumsOf, type Parts } from './added-bids.ts'
import type { Outlook } from './outlook.ts'
import { QuotaState } from './quota.ts'
import { type Reserve, reserveLimits } from './reserve.ts'
import { type FetchLimits, type PlannedFetch, planFetches, planned } from './scheduler.ts'
import { type TieRule, tieBreak } from './ties.ts'

/**
 * Divides a budget by fixed shares: what is customary, and what one currency has to beat. What a task
 * cannot use flows to the others by their shares, and last to those without one. Fractions of a fetch are
 * carried over to the next plan.
 */
export class SplitBudget {
  readonly #shares: Parts
  /** Fetches that each task is owed, or has had too many: less than two. */
  readonly #owed: Record<Purpose, number>

  /** Shares that sum to 1, and what each task was owed when a crawl was left. */
  constructor(shares: Parts, owed: Parts = { acquire: 0, refresh: 0, discover: 0 }) {
    this.#shares = shares
    this.#owed = { ...owed }
  }

  /** To be handed to the next run: in short runs, small shares would otherwise never come to a whole fetch. */
  get owed(): Parts {
    return { ...this.#owed }
  }

  /** The same shares, owed as much: what is planned with one changes nothing for the other. */
  copy(): SplitBudget {
    return new SplitBudget(this.#shares, this.#owed)
  }

  /** What the fetches that a budget affords are expected to gain by these shares, as far as is known today. */
  outlook(allBids: readonly Bids[], affords: number): Outlook {
    const fetches = this.copy().plan(allBids, { budget: affords })
    const gain = fetches.reduce((sum, { expected }) => sum + expected, 0)
    return { fetches: fetches.length, gain }
  }

  /** Further fetches by the same shares, for hosts that would be idle; they change nothing that is owed. */
  reserved(
    allBids: readonly Bids[],
    list: readonly PlannedFetch[],
    affords: number,
    reserve: Reserve | undefined,
    limits: FetchLimits,
  ): PlannedFetch[] {
    if (!reserve || affords <= list.length) return []
    const { urls } = addedBids(allBids)
    const { quotas = [], ...some } = reserveLimits(urls, list, reserve, limits)
    const isListed = new Uint32Array(reserve.hosts.length)
    for (const { url } of list) isListed[url] = 1
    const others = { groups: isListed, most: [Number.POSITIVE_INFINITY, 0] }
    const budget = Math.min(some.budget, affords - list.length)
    return this.copy().plan(allBids, { ...some, budget, quotas: [...quotas, others] })
  }

  /**
   * The best bids of each task, as many as its share; bids of 0 are worth no fetch. What `first` bids for
   * comes before, whatever the shares.
   */
  plan(allBids: readonly Bids[], limits: FetchLimits, first: readonly Bids[] = []): PlannedFetch[] {
    const before = first.length > 0 ? planFetches(first, limits) : []
    const quotaState = new QuotaState(limits)
    for (const { url } of before) quotaState.take(url)
    const queues = PURPOSES.map((purpose) => ({
      purpose,
      next: bestOf(
        allBids.filter((bids) => bids.purpose === purpose),
        limits,
      ),
    }))
    const taken = new Set(before.map(({ url }) => url))
    const chosen: { url: number; purpose: Purpose }[] = []
    while (before.length + chosen.length < limits.budget && queues.length > 0) {
      const queue = this.#mostOwed(queues)
      let url = queue.next()
      while (url !== undefined && (taken.has(url) || !quotaState.take(url))) url = queue.next()
      if (url === undefined) {
        queues.splice(queues.indexOf(queue), 1)
        this.#owed[queue.purpose] = 0
        continue
      }
      this.#pay(queue.purpose, queues)
      taken.add(url)
      chosen.push({ url, purpose: queue.purpose })
    }
    const sums = bidSumsOf(
      allBids,
      chosen.map(({ url }) => url),
    )
    return [
      ...before,
      ...chosen.map(({ url, purpose }, i) => ({
        ...planned(url, sums[i].parts[purpose], sums[i]),
        purpose,
      })),
    ]
  }

  #mostOwed<Q extends { readonly purpose: Purpose }>(queues: readonly Q[]): Q {
    const due = ({ purpose }: Q) => this.#owed[purpose] + this.#shares[purpose]
    const sharing = queues.filter(({ purpose }) => this.#shares[purpose] > 0)
    return (sharing.length > 0 ? sharing : queues).reduce((best, next) =>
      due(next) > due(best) ? next : best,
    )
  }

  /** All that still have something to fetch earn their share of the fetch that one of them gets. */
  #pay(purpose: Purpose, queues: readonly { readonly purpose: Purpose }[]): void {
    const total = queues.reduce((sum, queue) => sum + this.#shares[queue.purpose], 0)
    for (const queue of queues)
      this.#owed[queue.purpose] +=
        total > 0 ? this.#shares[queue.purpose] / total : 1 / queues.length
    this.#owed[purpose] -= 1
  }
}

/** Gives URL after URL, the best bid first, as long as there are bids above 0. */
function bestOf(allBids: readonly Bids[], ties: TieRule): () => number | undefined {
  const { urls, gains } = addedBids(allBids)
  const order = new LazyOrder(gains, tieBreak(urls, ties))
  return () => {
    const bid = order.next()
    return bid !== undefined && gains[bid] > 0 ? urls[bid] : undefined
  }
}
