import { UsageError } from '#errors/usage-error.ts'
import type { GraphFacts } from '#frontier/graph-facts.ts'
import type { Bids } from './bids.ts'

/** A user's bids as they came, or a UsageError that says which promise of a policy they break. */
export function checkedBids(name: string, bids: Bids, { candidates, domains }: GraphFacts): Bids {
  const wrong = (what: string): never => {
    throw new UsageError(`policy "${name}" ${what}`)
  }
  const { urls, gains } = bids
  if (!(urls instanceof Uint32Array && gains instanceof Float64Array)) {
    return wrong('must give its urls as a Uint32Array and its gains as a Float64Array')
  }
  if (urls.length !== gains.length) {
    return wrong(`makes bids for ${urls.length} URLs with ${gains.length} gains`)
  }
  const isOpen = new Uint8Array(domains.length)
  for (const url of candidates) isOpen[url] = 1
  for (let i = 0; i < urls.length; i++) {
    if (isOpen[urls[i]] !== 1) {
      return wrong(`bids for URL ${urls[i]}, which is no candidate or has a bid already`)
    }
    if (!(gains[i] >= 0 && gains[i] < Number.POSITIVE_INFINITY)) {
      return wrong(`bids ${gains[i]} for URL ${urls[i]}; a gain is a finite number of at least 0`)
    }
    isOpen[urls[i]] = 0
  }
  return bids
}
