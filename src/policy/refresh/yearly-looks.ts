import { boundOf } from '#numeric/bound-of.ts'
import type { Facts } from '../facts/facts.ts'
import { ageInDays } from './age.ts'

/** A copy of this age is worth a fetch in any case, and more of them every day: before a year is over it is looked at. */
const DUE_DAYS = 300
const STEEPNESS = 8
/** Whoever is linked from more than this share of the pages held of its site is in its menus. */
const MENU_SHARE = 0.5

/**
 * By place: how many times the price a look at the copy is worth at least; 0 for most. What all pages link to may matter
 * to queries that nobody knows, and one such page that changes unseen can cost more than all others.
 */
export function yearlyLooks({
  pages,
  ages,
  domains,
  inLinks,
}: Pick<Facts, 'pages' | 'ages' | 'domains' | 'inLinks'>): Float64Array | undefined {
  if (inLinks === undefined) return undefined
  const held = new Uint32Array(boundOf(domains))
  for (const page of pages) held[domains[page]]++
  return Float64Array.from(pages, (page, i) =>
    inLinks[i] > MENU_SHARE * held[domains[page]]
      ? (ageInDays(ages[i]) / DUE_DAYS) ** STEEPNESS
      : 0,
  )
}
