import type { Frontier } from '#frontier/frontier.ts'
import type { AddressChances, AddressEvidence } from '#frontier/urls/address-chances.ts'
import { listKindOf } from '#learn/yields/first-yields.ts'
import type { Bids } from '../bids.ts'

/** Below this chance, a bid says why it is as low as it is. */
const SAID_BELOW = 0.5

/**
 * Bids as far as addresses like those they are for came true: of a prefix under which nothing was found so far, little
 * is expected. Copies are as good as they were.
 */
export function byChance(bids: Bids, addresses: AddressChances): Bids {
  const { urls, reveals } = bids
  const chances = addresses.of(urls)
  if (chances === undefined || bids.purpose === 'refresh') return bids
  if (reveals) for (let i = 0; i < urls.length; i++) if (reveals.isFirst[i] === 0) chances[i] = 1
  const times = (values: Float64Array) => values.map((value, i) => value * chances[i])
  return {
    ...bids,
    gains: times(bids.gains),
    expected: bids.expected && times(bids.expected),
    reveals: reveals && { ...reveals, links: times(reveals.links) },
    why: (i) => {
      const evidence = chances[i] < SAID_BELOW ? addresses.evidenceFor(urls[i]) : undefined
      return evidence ? `${bids.why(i)}; ${evidenceText(evidence)}` : bids.why(i)
    },
  }
}

/** `43 of 43 addresses under https://a.org/old/ led nowhere: it counts 6 %`. */
export function evidenceText({ chance, prefix, found, missing }: AddressEvidence): string {
  const share = `${Math.round(100 * chance)} %`
  const those =
    prefix === undefined ? 'hosts asked for the first time' : `addresses under ${prefix}`
  return `${missing} of ${found + missing} ${those} led nowhere: it counts ${share}`
}

/** Bids for new pages in quality, with nothing for sitemaps and feeds: what these are worth is the links they show. */
export function ofPages(bids: Bids, frontier: Frontier): Bids {
  const { urls, gains } = bids
  return {
    ...bids,
    gains: gains.map((gain, i) => (listKindOf(urls[i], frontier) === undefined ? gain : 0)),
  }
}
