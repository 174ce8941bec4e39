import type { Bids } from '../bids.ts'

/**
 * A new page's worth counts for half a year: about as long as interest in a page, and the page itself, may be
 * expected to last. Long enough that good new pages come before refreshing, short enough that poor ones do
 * not. Twice as long made little difference on the sites that constants were fixed on.
 */
export const HORIZON_DAYS = 180

/** Bids for new pages in quality, as bids in quality × days: a page once held serves until the horizon. */
export function overHorizon(bids: Bids): Bids {
  const expected = bids.gains
  const gains = new Float64Array(expected.length)
  for (let i = 0; i < gains.length; i++) gains[i] = expected[i] * HORIZON_DAYS
  return { ...bids, gains, expected }
}

/** Corrects bids by what earlier ones came to: `correct` is asked with what was expected of each. */
export function corrected(bids: Bids, correct: (url: number, expected: number) => number): Bids {
  const { urls, gains: before, expected: predictions = before } = bids
  const gains = before.slice()
  const expected = new Float64Array(urls.length)
  for (let i = 0; i < urls.length; i++) {
    expected[i] = correct(urls[i], predictions[i])
    if (predictions[i] > 0) gains[i] = (before[i] * expected[i]) / predictions[i]
  }
  return { ...bids, gains, expected }
}

/**
 * Bids for links at the price of the day: how many, times what one is worth a day beyond the price of fetching its
 * page, times the days. Bids that reveal nothing stay as they are.
 */
export function repriced(bids: Bids, worthOf: (url: number) => number): Bids {
  const { urls, reveals } = bids
  if (reveals === undefined) return bids
  const { links, days } = reveals
  const gains = new Float64Array(urls.length)
  for (let i = 0; i < gains.length; i++) gains[i] = links[i] * worthOf(urls[i]) * days[i]
  return { ...bids, gains, expected: new Float64Array(urls.length) }
}

/** Bids of at least as many prices as are asked for. */
export function atLeast(bids: Bids, price: number): Bids {
  const { gains, leastPrices } = bids
  if (leastPrices === undefined) return bids
  return { ...bids, gains: gains.map((gain, i) => Math.max(gain, leastPrices[i] * price)) }
}

/** `about 2.5 new links`. */
export function linksText(links: number): string {
  return `about ${links < 10 ? links.toPrecision(2) : Math.round(links)} new links`
}

/** Bids for links without those for pages never fetched. */
export function ofCopies(bids: Bids): Bids {
  const { reveals, why } = bids
  if (reveals === undefined) return bids
  const { isFirst, links, days } = reveals
  const places = Uint32Array.from(isFirst.keys()).filter((i) => isFirst[i] === 0)
  if (places.length === isFirst.length) return bids
  const kept = <T extends Float64Array | Uint32Array>(column: T): T =>
    column.filter((_: number, i: number) => isFirst[i] === 0) as T
  return {
    ...bids,
    urls: kept(bids.urls),
    gains: kept(bids.gains),
    expected: bids.expected && kept(bids.expected),
    reveals: {
      links: kept(links),
      days: kept(days),
      isFirst: new Uint8Array(places.length),
    },
    why: (i) => why(places[i]),
  }
}

/** What a link is worth a day if its page is worth so much: nothing if fetching that is not worth its price. */
export function beyondPrice(value: number, price: number): number {
  return Math.max(0, value - price / HORIZON_DAYS)
}

/** Bids as they compete for a budget: what each of the fetches is worth that they cost. */
export function perFetch(bids: Bids, costOf: (url: number) => number | undefined): Bids {
  const { urls } = bids
  return { ...bids, gains: bids.gains.map((gain, i) => gain / (costOf(urls[i]) ?? 1)) }
}
