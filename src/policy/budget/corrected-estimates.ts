import type { Corrections, Thought } from '#learn/corrections/corrections.ts'
import { boundOf } from '#numeric/bound-of.ts'
import type { Bids } from '../bids.ts'
import type { Estimates } from './one-budget.ts'
import { corrected, type ExpectedLinks } from './one-currency.ts'

/** Bids of a task, corrected by what its earlier ones came to. */
export function correctedBids(
  corrections: Corrections,
  task: 'acquire' | 'refresh',
  bids: Bids,
): Bids {
  if (corrections.isExempt(task)) return bids
  return corrected(bids, (url, value) => corrections.rethought(task, url, value))
}

/** Expected links, corrected likewise. */
export function correctedLinks(corrections: Corrections, some: ExpectedLinks): ExpectedLinks {
  const { urls, links, isFirst } = some
  return { ...some, links: links.map((count, i) => corrections.links(urls[i], count, isFirst)) }
}

/** What estimates say of each of some URLs, before any correction. */
export function thoughtsOf(
  { acquire, refresh, links }: Pick<Estimates, 'acquire' | 'refresh' | 'links'>,
  urls: ArrayLike<number>,
): Thought[] {
  const places = new Uint32Array(boundOf(urls)) // by URL: its place plus 1
  for (let place = 0; place < urls.length; place++) places[urls[place]] = place + 1
  const thoughts = Array.from(urls, (): { -readonly [task in keyof Thought]: number } => ({}))
  const note = (task: keyof Thought, from: Uint32Array, values: Float64Array) => {
    for (let i = 0; i < from.length; i++)
      if (places[from[i]] > 0) thoughts[places[from[i]] - 1][task] = values[i]
  }
  note('acquire', acquire.urls, acquire.expected ?? acquire.gains)
  note('refresh', refresh.urls, refresh.expected ?? refresh.gains)
  for (const some of links) note('links', some.urls, some.links)
  return thoughts
}
