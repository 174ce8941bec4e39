import type { Corrections, Prediction } from '#learn/corrections/corrections.ts'
import { boundOf } from '#numeric/bound-of.ts'
import type { Bids } from '../bids.ts'
import type { Offers } from './one-budget.ts'
import { corrected, linksText } from './one-currency.ts'

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
