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
  needs: ['pages', 'candidates', 'yields'],
  bids: (facts) => {
    const { pages, candidates } = facts
    const [urls, first] = [new Uint32Array(pages.length + candidates.length), pages.length]
    urls.set(pages)
    urls.set(candidates, first)
    const reveals = joined(linksOfRevisits(facts), linksOfFirstFetches(facts))
    const { links, days } = reveals
    return {
      purpose: 'discover',
      urls,
      gains: links.map((count, i) => count * days[i]),
      expected: new Float64Array(urls.length),
      reveals,
      why: (i) => linksText(links[i]),
    }
  },
}

function joined(one: ExpectedLinks, other: ExpectedLinks): ExpectedLinks {
  const places = one.links.length
  const both = <T extends Float64Array | Uint8Array>(a: T, b: T, all: T): T => {
    all.set(a)
    all.set(b, places)
    return all
  }
  const size = places + other.links.length
  return {
    links: both(one.links, other.links, new Float64Array(size)),
    days: both(one.days, other.days, new Float64Array(size)),
    isFirst: both(one.isFirst, other.isFirst, new Uint8Array(size)),
  }
}

/** The new links that revisits are expected to show, each of which has waited for half the time since somebody looked. */
export function linksOfRevisits({
  yields: { held, burstFactors },
}: Pick<Facts, 'yields'>): ExpectedLinks {
  const { links, days } = held
  return {
    links: links.map((count, i) => count * burstFactors[i]),
    days: Float64Array.from(days, (age) => age / 2),
    isFirst: new Uint8Array(links.length),
  }
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
    isFirst: new Uint8Array(length).fill(1),
  }
}
