import type { ExpectedLinks } from '../budget/one-currency.ts'
import type { YieldExpectations } from './yield-book.ts'

/** How long links would be missed, and how many of them no other page shows. */
export interface Missed {
  readonly horizonDays: number
  /** The share of all links that a single page leads to: others are found without it, sooner or later. */
  readonly onlyHere: number
}

/**
 * The new links that revisits are expected to show, each of which has waited for half the time since it could
 * have been seen. What a rival shows too counts for whoever of the two shows more: that one goes first.
 *
 * A page that was never fetched again may turn out to be a hub, or not: if nobody looks, what it would show
 * until the horizon is lost. This counts as far as a look now would tell. What others will show too is lost in
 * part only, since they must be fetched again for it: half way, as factors go.
 */
export function linksOfRevisits(
  { pages, own, ownDays, shared, sharedDays, rivals, isUntried }: YieldExpectations,
  { horizonDays, onlyHere }: Missed,
  factorOf: (i: number) => number = () => 1,
): ExpectedLinks {
  const placeOf = new Uint32Array(1 + pages.reduce((most, page) => Math.max(most, page), 0))
  for (let i = 0; i < pages.length; i++) placeOf[pages[i]] = i + 1
  const links = new Float64Array(pages.length)
  const days = new Float64Array(pages.length)
  const lost = (Math.sqrt(onlyHere) * horizonDays ** 2) / 2
  for (let i = 0; i < pages.length; i++) {
    const rival = (rivals[i] < 0 ? 0 : (placeOf[rivals[i]] ?? 0)) - 1
    const goesFirst = rival < 0 || own[i] + shared[i] >= own[rival] + shared[rival]
    const both = goesFirst ? shared[i] : 0
    links[i] = (own[i] + both) * factorOf(i)
    const waited = own[i] * ownDays[i] + both * sharedDays[i]
    days[i] = links[i] > 0 ? waited / (own[i] + both) / 2 : 0
    if (isUntried[i] && ownDays[i] > 0) days[i] += ((1 - Math.exp(-own[i])) * lost) / ownDays[i]
  }
  return { isFirst: false, urls: pages, links, days }
}

/**
 * The links that first fetches are expected to show. Those that no other page shows nobody may ever see without
 * them, so the horizon counts; the others are there to be found elsewhere now.
 */
export function linksOfFirstFetches(
  urls: Uint32Array,
  links: Float64Array,
  { horizonDays, onlyHere }: Missed,
): ExpectedLinks {
  const days = new Float64Array(urls.length).fill(horizonDays * onlyHere)
  return { isFirst: true, urls, links, days }
}
