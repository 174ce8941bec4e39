import type { Bids } from './bids.ts'

/** The best bid for each URL anybody bid for, in columns. */
export interface BestBids {
  readonly urls: Uint32Array
  readonly gains: Float64Array
  /** Whose bid the i-th is, and which of theirs. */
  readonly origin: (i: number) => { readonly bids: Bids; readonly i: number }
}

/** Of several bids for one URL the larger gain stays; of equal ones the earlier. */
export function bestBids(allBids: readonly Bids[]): BestBids {
  const { starts, urls, gains } = joinBids(allBids)
  const winners = winnerOfEachUrl(urls, gains)
  // Losers are squeezed out in place; numbers[i] is what the i-th bid was before.
  const numbers = new Uint32Array(urls.length)
  let size = 0
  for (let bid = 0; bid < urls.length; bid++) {
    if (winners[urls[bid]] !== bid + 1) continue
    numbers[size] = bid
    urls[size] = urls[bid]
    gains[size++] = gains[bid]
  }
  return {
    urls: urls.subarray(0, size),
    gains: gains.subarray(0, size),
    origin: (i) => {
      const bidder = starts.findLastIndex((start) => start <= numbers[i])
      return { bids: allBids[bidder], i: numbers[i] - starts[bidder] }
    },
  }
}

/** Everybody's bids in one pair of columns; bidder b's begin at starts[b]. */
function joinBids(allBids: readonly Bids[]): {
  starts: number[]
  urls: Uint32Array
  gains: Float64Array
} {
  const starts: number[] = []
  let size = 0
  for (const bids of allBids) {
    starts.push(size)
    size += bids.urls.length
  }
  const urls = new Uint32Array(size)
  const gains = new Float64Array(size)
  allBids.forEach((bids, bidder) => {
    urls.set(bids.urls, starts[bidder])
    gains.set(bids.gains, starts[bidder])
  })
  return { starts, urls, gains }
}

/** By URL: the number of its best bid plus 1, or 0 where there is none. */
function winnerOfEachUrl(urls: Uint32Array, gains: Float64Array): Uint32Array {
  let urlCount = 0
  for (let bid = 0; bid < urls.length; bid++) urlCount = Math.max(urlCount, urls[bid] + 1)
  const winners = new Uint32Array(urlCount)
  for (let bid = 0; bid < urls.length; bid++) {
    const rival = winners[urls[bid]]
    if (rival === 0 || gains[bid] > gains[rival - 1]) winners[urls[bid]] = bid + 1
  }
  return winners
}
