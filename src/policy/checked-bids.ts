import { SettingError } from '#errors/setting-error.ts'
import { type Bids, PURPOSES } from './bids.ts'
import type { Facts } from './facts/facts.ts'

/** A user's bids as they came, or a SettingError that says which promise of a bidder they break. */
export function checkedBids(
  name: string,
  bids: Bids,
  facts: Pick<Facts, 'candidates' | 'pages'>,
): Bids {
  const wrong = (what: string): never => {
    throw new SettingError('policyFile', `policy "${name}" ${what}`)
  }
  const { purpose, urls, gains } = bids
  if (!PURPOSES.includes(purpose)) return wrong(`must be for one of ${PURPOSES.join(', ')}`)
  if (!(urls instanceof Uint32Array && gains instanceof Float64Array))
    return wrong('must give its urls as a Uint32Array and its gains as a Float64Array')
  if (urls.length !== gains.length)
    return wrong(`makes bids for ${urls.length} URLs with ${gains.length} gains`)
  const open = openUrls(purpose, facts)
  for (let i = 0; i < urls.length; i++) {
    if (!open.delete(urls[i]))
      return wrong(`bids for URL ${urls[i]}, which is no ${WORDS[purpose]} or has a bid already`)
    if (!(gains[i] >= 0 && gains[i] < Number.POSITIVE_INFINITY))
      return wrong(`bids ${gains[i]} for URL ${urls[i]}; a gain is a finite number of at least 0`)
  }
  return bids
}

const WORDS = { acquire: 'candidate', refresh: 'page held', discover: 'candidate or page held' }

/** The URLs that a task may be about. */
export function openUrls(
  purpose: Bids['purpose'],
  facts: Pick<Facts, 'candidates' | 'pages'>,
): Set<number> {
  const open = new Set<number>()
  if (purpose !== 'refresh') for (const url of facts.candidates) open.add(url)
  if (purpose !== 'acquire') for (const url of facts.pages) open.add(url)
  return open
}
