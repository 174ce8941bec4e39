import type { Random } from '#numeric/random.ts'
import type { Bids } from '../bids.ts'
import { type AddedBids, addedBids, bidSumsOf, totalOf } from './added-bids.ts'
import { QuotaState } from './quota.ts'
import { costOfAll, type FetchLimits, type PlannedFetch, planned } from './scheduler.ts'
import { lotSalt, lotsBy, type TieRule, tieBreak } from './ties.ts'

/**
 * Gives a share of a plan to URLs sampled from all that somebody bids for, each with the chance it
 * had: those of the lowest lots. They are the only fetches that teach without bias what the others are worth. `count` of them are
 * to be had; they come last, in place of the plan's worst. The chance is that of all URLs whose groups have
 * room when URLs are sampled: of a group that fills up meanwhile it is a little less, of the others a little more.
 */
export function withRandomFetches(
  plan: readonly PlannedFetch[],
  allBids: readonly Bids[],
  count: number,
  limits: FetchLimits,
  random: Random,
  added: AddedBids = addedBids(allBids),
): PlannedFetch[] {
  // A plan that short took all there was room for: to try the other bids one by one would only cost time.
  if (costOfAll(plan) <= limits.budget - count) return [...plan]
  const kept = affordable(plan, Math.max(0, limits.budget - count))
  const open = new OpenBids(added.urls, kept, limits)
  const most = Math.min(count, limits.budget - costOfAll(kept), open.count)
  if (most <= 0) return [...plan]
  const drawn = open.byLot(most, lotsBy(lotSalt(random), limits)).map(({ url }) => url)
  return [...kept, ...sampledFetches(allBids, drawn, drawn.length / open.count)]
}

/** Fetches that were sampled, with the chance they had. */
export function sampledFetches(
  allBids: readonly Bids[],
  drawn: readonly number[],
  probability: number,
): PlannedFetch[] {
  const sums = bidSumsOf(allBids, drawn)
  return drawn.map((url, i) => ({ ...planned(url, totalOf(sums[i].parts), sums[i]), probability }))
}

/** A URL and its lot. */
interface Lot {
  readonly url: number
  readonly lot: number
}

/** What may be sampled beside the fetches that a plan keeps. */
export class OpenBids {
  readonly #urls: Uint32Array
  readonly #isKept: ReadonlySet<number>
  readonly #quotaState: QuotaState
  readonly #ties: TieRule
  /** How many there are to choose from. */
  readonly count: number

  constructor(
    all: Uint32Array,
    kept: readonly Pick<PlannedFetch, 'url' | 'renderCost'>[],
    limits: Omit<FetchLimits, 'budget'>,
  ) {
    const { costOf, quotas = [] } = limits
    // Renderings are dear, and bid for at first sight of a sign: chance has enough to do without them.
    const urls = costOf ? all.filter((url) => costOf(url) === undefined) : all
    const quotaState = new QuotaState(limits)
    for (const { url } of kept) quotaState.take(url)
    const isKept = new Set(kept.map(({ url }) => url))
    // Without quotas only those kept are no choice, and so few of many need not be sorted out.
    this.#urls =
      quotas.length > 0 ? urls.filter((url) => !isKept.has(url) && quotaState.hasRoom(url)) : urls
    const plain = kept.filter(({ renderCost }) => renderCost === undefined)
    this.count = quotas.length > 0 ? this.#urls.length : urls.length - plain.length
    this.#isKept = isKept
    this.#quotaState = quotaState
    this.#ties = limits
  }

  /** Those of the lowest lots that quotas have room for, from the lowest up. To be asked once: they take their places. */
  byLot(most: number, lotOf: (url: number) => number): Lot[] {
    const drawn: Lot[] = []
    for (const lot of this.#fromLowest(most, lotOf)) {
      if (drawn.length === most) break
      if (!this.#isKept.has(lot.url) && this.#quotaState.take(lot.url)) drawn.push(lot)
    }
    return drawn
  }

  /** From the lowest lot up. Few are wanted, so only so low a part is sorted that these are likely in it. */
  *#fromLowest(wanted: number, lotOf: (url: number) => number): Generator<Lot> {
    const urls = this.#urls
    const precedes = tieBreak(urls, this.#ties)
    const share = (2 * wanted + 32) / urls.length
    for (let [from, to] = [0, share]; from < 1; [from, to] = [to, 8 * to]) {
      const lots: (Lot & { readonly place: number })[] = []
      for (let place = 0; place < urls.length; place++) {
        const lot = lotOf(urls[place])
        if (lot >= from && lot < to) lots.push({ url: urls[place], lot, place })
      }
      yield* lots.sort((a, b) => a.lot - b.lot || (precedes(a.place, b.place) ? -1 : 1))
    }
  }
}

/** The first of a plan that a budget affords. */
function affordable(plan: readonly PlannedFetch[], budget: number): PlannedFetch[] {
  let left = budget
  const end = plan.findIndex(({ renderCost = 1 }) => {
    left -= renderCost
    return left < 0
  })
  return end < 0 ? [...plan] : plan.slice(0, end)
}

/** So many random fetches has a plan of that budget, on average `share` of it. */
export function randomCount(budget: number, share: number, random: Random): number {
  const whole = Math.floor(budget * share)
  return whole + (random.next() < budget * share - whole ? 1 : 0)
}
