import type { Random } from '#numeric/random.ts'
import type { Bids } from '../bids.ts'
import { type AddedBids, addedBids, bidSumsOf, totalOf } from './added-bids.ts'
import { costOfAll, type FetchLimits, type PlannedFetch, planned, QuotaState } from './scheduler.ts'
import { lotsBy, type TieRule, tieBreak } from './ties.ts'

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
  const { costOf } = limits
  // Renderings are dear, and bid for at first sight of a sign: chance has enough to do without them.
  const urls = costOf ? added.urls.filter((url) => costOf(url) === undefined) : added.urls
  const kept = affordable(plan, Math.max(0, limits.budget - count))
  const quotaState = new QuotaState(limits)
  for (const { url } of kept) quotaState.take(url)
  const isKept = new Set(kept.map(({ url }) => url))
  const hasQuotas = limits.quotas !== undefined && limits.quotas.length > 0
  // Without quotas only those kept are no choice, and so few of many need not be sorted out.
  const open = hasQuotas ? urls.filter((url) => !isKept.has(url) && quotaState.hasRoom(url)) : urls
  const plain = kept.filter(({ renderCost }) => renderCost === undefined)
  const left = hasQuotas ? open.length : urls.length - plain.length
  const most = Math.min(count, limits.budget - costOfAll(kept), left)
  if (most <= 0) return [...plan]
  const drawn: number[] = []
  for (const place of placesByLot(open, most, limits, random)) {
    if (drawn.length === most) break
    const url = open[place]
    if (!isKept.has(url) && quotaState.take(url)) drawn.push(url)
  }
  const sums = bidSumsOf(allBids, drawn)
  const probability = drawn.length / left
  return [
    ...kept,
    ...drawn.map((url, i) => ({ ...planned(url, totalOf(sums[i].parts), sums[i]), probability })),
  ]
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

/** Places of URLs from the lowest lot up. Few are wanted, so only so low a part is sorted that these are likely in it. */
function* placesByLot(
  urls: Uint32Array,
  wanted: number,
  ties: TieRule,
  random: Random,
): Generator<number> {
  const lotOf = lotsBy(random, ties)
  const precedes = tieBreak(urls, ties)
  const share = (2 * wanted + 32) / urls.length
  for (let [from, to] = [0, share]; from < 1; [from, to] = [to, 8 * to]) {
    const places: { readonly place: number; readonly lot: number }[] = []
    for (let place = 0; place < urls.length; place++) {
      const lot = lotOf(urls[place])
      if (lot >= from && lot < to) places.push({ place, lot })
    }
    places.sort((a, b) => a.lot - b.lot || (precedes(a.place, b.place) ? -1 : 1))
    for (const { place } of places) yield place
  }
}
