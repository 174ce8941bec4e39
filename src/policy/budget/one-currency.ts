import type { Corrections, Prediction } from '#learn/corrections/corrections.ts'
import { boundOf } from '#numeric/bound-of.ts'
import type { Bids } from '../bids.ts'
import type { Offers } from './one-budget.ts'

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

/** Bids of a task, corrected by what its earlier ones came to. */
export function correctedBids(
  corrections: Corrections,
  task: 'acquire' | 'refresh',
  bids: Bids,
): Bids {
  if (corrections.isExempt(task)) return bids
  return corrected(bids, (url, value) => corrections.corrected(task, url, value))
}

/** Bids for links with the number of these corrected likewise; of some they are known to be right. */
export function correctedLinks(
  corrections: Corrections,
  bids: Bids,
  isRight: (url: number) => boolean = () => false,
): Bids {
  const { urls, reveals } = bids
  if (reveals === undefined) return bids
  const { isFirst } = reveals
  const links = reveals.links.map((count, i) =>
    isRight(urls[i]) ? count : corrections.links(urls[i], count, isFirst[i] === 1),
  )
  return { ...bids, reveals: { ...reveals, links }, why: (i) => linksText(links[i]) }
}

/**
 * What bids predict for each of some URLs, before any correction, as far as it can be compared with what comes: links of
 * new pages only beside the pages' own quality, by which they are told from those of copies.
 */
export function predictionsOf(
  { acquire, refresh, discover, rendering }: Omit<Offers, 'worthOfLink'>,
  urls: ArrayLike<number>,
  inQuality = { acquire: true, refresh: true },
): Prediction[] {
  const places = new Uint32Array(boundOf(urls)) // by URL: its place plus 1
  for (let place = 0; place < urls.length; place++) places[urls[place]] = place + 1
  const predictions = Array.from(urls, (): { -readonly [task in keyof Prediction]: number } => ({}))
  const note = (
    task: keyof Prediction,
    from: Uint32Array,
    values: Float64Array,
    isNoted: (i: number) => boolean = () => true,
  ) => {
    for (let i = 0; i < from.length; i++)
      if (places[from[i]] > 0 && isNoted(i)) predictions[places[from[i]] - 1][task] = values[i]
  }
  if (inQuality.acquire) note('acquire', acquire.urls, acquire.expected ?? acquire.gains)
  if (inQuality.refresh) note('refresh', refresh.urls, refresh.expected ?? refresh.gains)
  const { urls: linking, reveals } = discover
  if (reveals)
    note('links', linking, reveals.links, (i) => {
      const isTold = inQuality.acquire || reveals.isFirst[i] === 0
      return isTold && rendering?.isFirst(linking[i]) !== true
    })
  if (rendering) note('render', rendering.first.urls, rendering.predictions)
  return predictions
}
