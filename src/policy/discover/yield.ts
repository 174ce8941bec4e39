import type { YieldExpectations } from '#learn/yields/yield-facts.ts'
import { boundOf } from '#numeric/bound-of.ts'
import { LazyOrder } from '#numeric/lazy-order.ts'
import type { Bidder } from '../bidder.ts'
import type { ExpectedLinks } from '../bids.ts'
import { HORIZON_DAYS, linksText } from '../budget/one-currency.ts'
import type { Facts } from '../facts/facts.ts'

/** Bids for pages that will show new links, held or not. What a link is worth depends on the price: until then 1 a day. */
export const yieldBidder: Bidder = {
  name: 'yield',
  summary: 'pages that will show new links',
  task: 'discover',
  unit: 'quality',
  needs: ['pages', 'candidates', 'classes', 'hosts', 'yields'],
  bids: (facts) => {
    const { pages, candidates } = facts
    const [urls, first] = [new Uint32Array(pages.length + candidates.length), pages.length]
    urls.set(pages)
    urls.set(candidates, first)
    const reveals = joined(linksOfRevisits(facts), linksOfFirstFetches(facts))
    const { links, turns, days } = reveals
    return {
      purpose: 'discover',
      urls,
      gains: links.map((count, i) => (count / turns[i]) * days[i]),
      expected: new Float64Array(urls.length),
      reveals,
      why: (i) => linksText(links[i]),
    }
  },
}

function joined(one: ExpectedLinks, other: ExpectedLinks): ExpectedLinks {
  const places = one.links.length
  const both = <T extends Float64Array | Uint32Array | Uint8Array>(a: T, b: T, all: T): T => {
    all.set(a)
    all.set(b, places)
    return all
  }
  const size = places + other.links.length
  return {
    links: both(one.links, other.links, new Float64Array(size)),
    days: both(one.days, other.days, new Float64Array(size)),
    turns: both(one.turns, other.turns, new Uint32Array(size)),
    isFirst: both(one.isFirst, other.isFirst, new Uint8Array(size)),
  }
}

/**
 * The new links that revisits are expected to show, each of which has waited for half the time since it could
 * have been seen. What a rival shows too counts for whoever of the two shows more: that one goes first.
 *
 * A page that was never fetched again may turn out to be a hub, or not: if nobody looks, all that it would
 * show until the horizon is lost. This counts as far as a look now would tell.
 */
export function linksOfRevisits({
  yields: { held, burstFactors },
  classes,
  hosts,
}: Pick<Facts, 'yields' | 'classes' | 'hosts'>): ExpectedLinks {
  const { pages, own, ownDays, shared, sharedDays, rivals, isUntried } = held
  const turns = turnsOf(held, classes, hosts)
  const placeOf = new Uint32Array(boundOf(pages))
  for (let i = 0; i < pages.length; i++) placeOf[pages[i]] = i + 1
  const links = new Float64Array(pages.length)
  const days = new Float64Array(pages.length)
  for (let i = 0; i < pages.length; i++) {
    const rival = (rivals[i] < 0 ? 0 : (placeOf[rivals[i]] ?? 0)) - 1
    const goesFirst = rival < 0 || own[i] + shared[i] >= own[rival] + shared[rival]
    const both = goesFirst ? shared[i] : 0
    links[i] = (own[i] + both) * burstFactors[i]
    const waited = own[i] * ownDays[i] + both * sharedDays[i]
    days[i] = links[i] > 0 ? waited / (own[i] + both) / 2 : 0
    if (isUntried[i] && ownDays[i] > 0)
      days[i] += ((1 - Math.exp(-own[i] / turns[i])) * HORIZON_DAYS ** 2) / (2 * ownDays[i])
  }
  return { links, days, turns, isFirst: new Uint8Array(pages.length) }
}

/**
 * By place: which turn a page has in its cohort of pages that were never fetched again, the most promising first; 1 for
 * all others. Nothing is known of them but what their cohort showed, so all stand or fall with one guess, and may
 * show the same: in one plan the n-th counts for an n-th, as the first few will tell. The cohort of a page is
 * those of its class; of one in menus, all in menus of its site, as each promises whatever is new there.
 */
function turnsOf(
  { pages, own, isUntried, isInMenus }: YieldExpectations,
  classes: Uint32Array,
  hosts: Uint32Array,
): Uint32Array {
  const turns = new Uint32Array(own.length).fill(1)
  const untried = turns.map((_, i) => i).filter((i) => isUntried[i] === 1)
  const promises = new Float64Array(untried.length)
  for (let i = 0; i < untried.length; i++) promises[i] = own[untried[i]]
  const order = new LazyOrder(promises)
  const [takenOfClass, takenOfSite] = [classes, hosts].map((some) => new Uint32Array(boundOf(some)))
  for (let next = order.next(); next !== undefined; next = order.next()) {
    const i = untried[next]
    const page = pages[i]
    turns[i] = isInMenus[i] === 1 ? ++takenOfSite[hosts[page]] : ++takenOfClass[classes[page]]
  }
  return turns
}

/**
 * The links that first fetches are expected to show. Only the share that no other page shows would be missed
 * without them, until the horizon; the others are there to be found elsewhere.
 */
export function linksOfFirstFetches({
  yields: { firstLinks, shownOnce },
}: Pick<Facts, 'yields'>): ExpectedLinks {
  const { length } = firstLinks
  return {
    links: firstLinks,
    days: new Float64Array(length).fill(HORIZON_DAYS * shownOnce),
    turns: new Uint32Array(length).fill(1),
    isFirst: new Uint8Array(length).fill(1),
  }
}
