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
