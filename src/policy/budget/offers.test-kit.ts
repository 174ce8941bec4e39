import type { Bids, Purpose } from '../bids.ts'

export type Offers = readonly (readonly [url: number, gain: number])[]

/** Bids as a test writes them down. */
export function offered(purpose: Purpose, offers: Offers): Bids {
  return {
    purpose,
    urls: Uint32Array.from(offers, ([url]) => url),
    gains: Float64Array.from(offers, ([, gain]) => gain),
    why: (i) => `${purpose} ${offers[i][0]}`,
  }
}

/** Bids for links as a test writes them down: URL, links, days, and 1 if it was never fetched. */
export function revealing(
  offers: readonly (readonly [url: number, links: number, days: number, isFirst?: number])[],
): Bids {
  const links = Float64Array.from(offers, ([, count]) => count)
  const days = Float64Array.from(offers, ([, , some]) => some)
  return {
    purpose: 'discover',
    urls: Uint32Array.from(offers, ([url]) => url),
    gains: links.map((count, i) => count * days[i]),
    reveals: {
      links,
      days,
      isFirst: Uint8Array.from(offers, ([, , , isFirst = 0]) => isFirst),
    },
    why: (i) => `${links[i]} links`,
  }
}
