import type { Frontier } from '#frontier/frontier.ts'
import { listKindOf } from '#learn/yields/first-yields.ts'
import type { Bids } from '../bids.ts'

/** Bids for new pages in quality, with nothing for sitemaps and feeds: what these are worth is the links they show. */
export function ofPages(bids: Bids, frontier: Frontier): Bids {
  const { urls, gains } = bids
  return {
    ...bids,
    gains: gains.map((gain, i) => (listKindOf(urls[i], frontier) === undefined ? gain : 0)),
  }
}
