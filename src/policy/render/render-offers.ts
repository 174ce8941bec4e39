import type { Bids } from '../bids.ts'
import type { RenderOffers } from '../budget/one-budget.ts'
import { HORIZON_DAYS } from '../budget/one-currency.ts'
import type { RenderTerms } from './render-terms.ts'

/**
 * Bids for new pages, without those that would be rendered, and these as bids of their own. What rendering brings is a
 * share of what such pages are worth. Of frames their own fetch tells that better than any bid, where bids are in quality.
 */
export function splitOffRenderings(
  acquire: Bids,
  terms: RenderTerms,
  correct: (bids: Bids) => Bids = (bids) => bids,
  isQuality = true,
): { acquire: Bids; rendering: RenderOffers } {
  const places = Uint32Array.from(acquire.urls.keys())
  const isFirst = (place: number) => terms.isFirst(acquire.urls[place])
  const rendered = correct(placesOf(acquire, places.filter(isFirst)))
  const { urls } = rendered
  const seenWorth = (url: number) => (isQuality ? terms.seenWorthOf(url) : undefined)
  const predictions = rendered.gains.map((bid, i) => seenWorth(urls[i]) ?? bid)
  const gains = predictions.map((worth, i) => {
    const { share, chance } = terms.expectedOf(urls[i])
    return worth * (terms.isAwaiting(urls[i]) ? share : 1 + chance * share)
  })
  const first = { ...rendered, gains, why: (i: number) => reason(rendered, i, terms) }
  const plain = placesOf(
    acquire,
    places.filter((place) => !isFirst(place)),
  )
  return {
    acquire: plain,
    rendering: {
      ...{ first, predictions },
      costOf: (url) => terms.costOf(url),
      isFirst: (url) => terms.isFirst(url),
      options: (price) => renderOptions(correct(plain), terms, price),
    },
  }
}

/** `rendered, which costs 6 fetches and brings 80 % of it by 4 such renderings`. */
function reason(bids: Bids, i: number, terms: RenderTerms): string {
  const url = bids.urls[i]
  const { share, ofClass, ofHost } = terms.expectedOf(url)
  const by = ofClass > 0 ? ofClass : ofHost
  const grounds =
    by > 0 ? `by ${by} such rendering${by === 1 ? '' : 's'}` : 'as is thought at first'
  return `rendered at the cost of ${terms.renderingCost(url)} fetches, expected to bring ${percent(share)} of its worth ${grounds}; ${bids.why(i)}`
}

/** Links that renderings are expected to show, in place of those of plain fetches. */
export function withRenderedLinks(discover: Bids, terms: RenderTerms): Bids {
  const { urls, reveals } = discover
  if (reveals === undefined) return discover
  const links = reveals.links.map((count, i) =>
    terms.isFirst(urls[i]) ? terms.expectedOf(urls[i]).links : count,
  )
  return { ...discover, reveals: { ...reveals, links } }
}

/**
 * A page that turns out to need its scripts can be rendered then: what that would be worth beyond its own cost is worth
 * something before it is known. Bids for new pages that add to their own.
 */
function renderOptions(acquire: Bids, terms: RenderTerms, price: number): Bids {
  const { urls, gains: values } = acquire
  const gains = values.map((value, i) => {
    const { chance, share } = terms.expectedOf(urls[i])
    if (chance === 0) return 0
    const beyond = value * share * HORIZON_DAYS - terms.renderingCost(urls[i]) * price
    return chance * Math.max(0, beyond)
  })
  const places = Uint32Array.from(urls.keys()).filter((i) => gains[i] > 0)
  const found = placesOf({ ...acquire, gains }, places)
  return {
    ...found,
    expected: new Float64Array(places.length),
    why: (i) => `may need its scripts (${percent(terms.expectedOf(found.urls[i]).chance)})`,
  }
}

/** Some of the bids, by their places. */
function placesOf(bids: Bids, places: Uint32Array): Bids {
  const { urls, gains, expected, why } = bids
  const some = (column: Float64Array) => Float64Array.from(places, (place) => column[place])
  return {
    purpose: bids.purpose,
    urls: places.map((place) => urls[place]),
    gains: some(gains),
    ...(expected && { expected: some(expected) }),
    why: (i) => why(places[i]),
  }
}

function percent(share: number): string {
  return `${Math.round(100 * share)} %`
}
