import { boundOf } from '#numeric/bound-of.ts'
import type { Bids } from '../bids.ts'
import { addedBids } from './added-bids.ts'
import { marginalGain } from './price.ts'

/** So many fetches, and the quality that they are expected to gain. */
export interface Outlook {
  readonly fetches: number
  readonly gain: number
}

/** What the best fetches that a budget affords are expected to gain, as far as is known today. */
export function outlookOf(allBids: readonly Bids[], affords: number): Outlook {
  const { urls, gains } = addedBids(allBids)
  const least = marginalGain(gains, affords)
  const expected = new Float64Array(boundOf(urls))
  for (const bids of allBids)
    bids.urls.forEach((url, i) => {
      expected[url] += (bids.expected ?? bids.gains)[i]
    })
  let [fetches, gain] = [0, 0]
  const take = (isTaken: (bid: number) => boolean) => {
    for (let i = 0; i < urls.length && fetches < affords; i++) {
      if (!isTaken(gains[i])) continue
      fetches++
      gain += expected[urls[i]]
    }
  }
  take((bid) => bid > least)
  if (least > 0) take((bid) => bid === least) // what many bid alike must not come before what is more
  return { fetches, gain }
}
