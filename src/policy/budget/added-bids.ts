import { type Parts, PURPOSES, type Purpose } from '#learn/entries/purpose.ts'
import { boundOf } from '#numeric/bound-of.ts'
import type { Bids } from '../bids.ts'

export type { Parts } from '#learn/entries/purpose.ts'

/** For each URL that anybody bids for, all bids together, in columns. */
export interface AddedBids {
  readonly urls: Uint32Array
  readonly gains: Float64Array
}

/** One fetch may gain in several ways at once, so bids for one URL add up. */
export function addedBids(allBids: readonly Bids[]): AddedBids {
  if (allBids.length === 1) return allBids[0]
  const places = new Uint32Array(urlCountOf(allBids)) // by URL: its place plus 1
  const bidCount = allBids.reduce((sum, bids) => sum + bids.urls.length, 0)
  const size = Math.min(bidCount, places.length)
  const urls = new Uint32Array(size)
  const gains = new Float64Array(size)
  let count = 0
  for (const bids of allBids) {
    for (let i = 0; i < bids.urls.length; i++) {
      const url = bids.urls[i]
      if (places[url] === 0) {
        urls[count++] = url
        places[url] = count
      }
      gains[places[url] - 1] += bids.gains[i]
    }
  }
  return { urls: urls.subarray(0, count), gains: gains.subarray(0, count) }
}

/** What several bids for one URL come to. */
export interface BidSum {
  readonly parts: Parts
  /** Of the largest part. */
  readonly purpose: Purpose
  /** The quality expected at once. */
  readonly expected: number
  readonly why: () => string
}

/** The bids behind each of some URLs, found in one pass over all bids. */
export function bidSumsOf(allBids: readonly Bids[], urls: ArrayLike<number>): BidSum[] {
  const isAsked = new Uint8Array(urlCountOf(allBids)) // few are, so most of a pass looks at nothing else
  const sumOf = new Map<number, GrowingSum>()
  for (let place = 0; place < urls.length; place++) {
    isAsked[urls[place]] = 1
    sumOf.set(urls[place], new GrowingSum())
  }
  for (const bids of allBids)
    for (let i = 0; i < bids.urls.length; i++)
      if (isAsked[bids.urls[i]] === 1) sumOf.get(bids.urls[i])!.add(bids, i)
  return Array.from(urls, (url) => sumOf.get(url)!)
}

class GrowingSum implements BidSum {
  readonly parts = { acquire: 0, refresh: 0, discover: 0 }
  readonly #bids: { readonly bids: Bids; readonly i: number }[] = []
  expected = 0

  add(bids: Bids, i: number): void {
    this.parts[bids.purpose] += bids.gains[i]
    this.expected += (bids.expected ?? bids.gains)[i]
    this.#bids.push({ bids, i })
  }

  /** Of equal parts the one that was offered first. */
  get purpose(): Purpose {
    const offered = this.#bids.map(({ bids }) => bids.purpose)
    return offered.reduce((best, next) => (this.parts[next] > this.parts[best] ? next : best))
  }

  readonly why = (): string =>
    this.#bids
      .toSorted((a, b) => b.bids.gains[b.i] - a.bids.gains[a.i])
      .filter(({ bids, i }, place) => place === 0 || bids.gains[i] > 0)
      .map(({ bids, i }) => bids.why(i))
      .join('; ')
}

/** The parts together. */
export function totalOf(parts: Parts): number {
  return PURPOSES.reduce((sum, purpose) => sum + parts[purpose], 0)
}

function urlCountOf(allBids: readonly Bids[]): number {
  return allBids.reduce((most, { urls }) => Math.max(most, boundOf(urls)), 0)
}
