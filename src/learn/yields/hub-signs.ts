import { boundOf } from '#numeric/bound-of.ts'

/** What copies held say of pages at first sight; columns by place. */
export interface HubSigns {
  /** The site of each page, as a small integer. */
  readonly sites: Uint32Array
  /** Pages held that link to it. */
  readonly inLinks: Uint32Array
  /** Pages held that it was the first to lead to. */
  readonly children: Uint32Array
  /** Pages held whose addresses lie below its own. */
  readonly below: Uint32Array
  /** 1 for the last page of a numbered series. */
  readonly isLast: Uint8Array
  /** 1 for a sitemap or feed: these exist to tell of new pages, and begin as the best page of their site. */
  readonly isList: Uint8Array
}

/** How far each sign is believed; they add up to 1. */
export interface SignWeights {
  /** That it is a page of the site at all. */
  readonly any: number
  readonly inLinks: number
  readonly children: number
  readonly below: number
  readonly isLast: number
}

/** Fitted on thirteen recorded sites and one that nobody has seen (`lab run discovery --leave-one-out` tells those of each dozen). */
export const SIGN_WEIGHTS: SignWeights = {
  any: 0.033,
  inLinks: 0.073,
  children: 0.31,
  below: 0.48,
  isLast: 0.104,
}

/**
 * By place: the share of what is new on its site that a page is expected to lead to first, before anybody looked
 * again. Each sign is divided among the pages of a site, so that shares of a site add up to 1 at most.
 */
export function firstShares(signs: HubSigns, weights: SignWeights = SIGN_WEIGHTS): Float64Array {
  const { sites, inLinks, children, below, isLast, isList } = signs
  const siteCount = boundOf(sites)
  const shares = new Float64Array(sites.length)
  const addSign = (weight: number, of: (place: number) => number) => {
    const sums = new Float64Array(siteCount)
    for (let i = 0; i < shares.length; i++) sums[sites[i]] += of(i)
    for (let i = 0; i < shares.length; i++)
      if (sums[sites[i]] > 0) shares[i] += (weight * of(i)) / sums[sites[i]]
  }
  addSign(weights.any, () => 1)
  addSign(weights.inLinks, (i) => 1 + inLinks[i])
  addSign(weights.children, (i) => children[i])
  addSign(weights.below, (i) => below[i])
  addSign(weights.isLast, (i) => isLast[i])
  const best = new Float64Array(siteCount)
  for (let i = 0; i < shares.length; i++) best[sites[i]] = Math.max(best[sites[i]], shares[i])
  for (let i = 0; i < shares.length; i++) if (isList[i] === 1) shares[i] = best[sites[i]]
  return shares
}
