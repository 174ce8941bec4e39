import type { YieldExpectations } from '#learn/yields/yield-facts.ts'
import { boundOf } from '#numeric/bound-of.ts'
import { LazyOrder } from '#numeric/lazy-order.ts'
import { type ExpectedLinks, HORIZON_DAYS } from '../budget/one-currency.ts'

/**
 * The new links that revisits are expected to show, each of which has waited for half the time since it could
 * have been seen. What a rival shows too counts for whoever of the two shows more: that one goes first.
 *
 * A page that was never fetched again may turn out to be a hub, or not: if nobody looks, all that it would
 * show until the horizon is lost. This counts as far as a look now would tell.
 */
export function linksOfRevisits(
  expectations: YieldExpectations,
  kinds: Kinds,
  factorOf: (i: number) => number = () => 1,
): ExpectedLinks {
  const { pages, own, ownDays, shared, sharedDays, rivals, isUntried } = expectations
  const turns = turnsOf(expectations, kinds)
  const placeOf = new Uint32Array(boundOf(pages))
  for (let i = 0; i < pages.length; i++) placeOf[pages[i]] = i + 1
  const links = new Float64Array(pages.length)
  const days = new Float64Array(pages.length)
  for (let i = 0; i < pages.length; i++) {
    const rival = (rivals[i] < 0 ? 0 : (placeOf[rivals[i]] ?? 0)) - 1
    const goesFirst = rival < 0 || own[i] + shared[i] >= own[rival] + shared[rival]
    const both = goesFirst ? shared[i] : 0
    links[i] = (own[i] + both) * factorOf(i)
    const waited = own[i] * ownDays[i] + both * sharedDays[i]
    days[i] = links[i] > 0 ? waited / (own[i] + both) / 2 : 0
    if (isUntried[i] && ownDays[i] > 0)
      days[i] += ((1 - Math.exp(-own[i] / turns[i])) * HORIZON_DAYS ** 2) / (2 * ownDays[i])
  }
  return { isFirst: false, urls: pages, links, days, turns }
}

/** Of which class of URLs, and of which site, the pages are; by place in them. */
interface Kinds {
  readonly classes: Uint32Array
  readonly sites: Uint32Array
}

/**
 * By place: which turn a page has among its likes that were never fetched again, the most promising first; 1 for
 * all others. Nothing is known of them but what their likes showed, so all stand or fall with one guess, and may
 * show the same: in one plan the n-th counts for an n-th, as the first few will tell. The likes of a page are
 * those of its class; of one in menus, all in menus of its site, as each promises whatever is new there.
 */
function turnsOf(
  { own, isUntried, isInMenus }: YieldExpectations,
  { classes, sites }: Kinds,
): Uint32Array {
  const turns = new Uint32Array(own.length).fill(1)
  const untried = turns.map((_, i) => i).filter((i) => isUntried[i] === 1)
  const promises = new Float64Array(untried.length)
  for (let i = 0; i < untried.length; i++) promises[i] = own[untried[i]]
  const order = new LazyOrder(promises)
  const [takenOfClass, takenOfSite] = [classes, sites].map((some) => new Uint32Array(boundOf(some)))
  for (let next = order.next(); next !== undefined; next = order.next()) {
    const i = untried[next]
    turns[i] = isInMenus[i] === 1 ? ++takenOfSite[sites[i]] : ++takenOfClass[classes[i]]
  }
  return turns
}

/**
 * The links that first fetches are expected to show. Only the share that no other page shows would be missed
 * without them, until the horizon; the others are there to be found elsewhere.
 */
export function linksOfFirstFetches(
  urls: Uint32Array,
  links: Float64Array,
  shownOnce: number,
): ExpectedLinks {
  const days = new Float64Array(urls.length).fill(HORIZON_DAYS * shownOnce)
  return { isFirst: true, urls, links, days }
}
