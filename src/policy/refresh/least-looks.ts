import { boundOf } from '#numeric/bound-of.ts'
import type { Facts } from '../facts/facts.ts'
import { ageInDays } from './age.ts'

/** A list is worth a look in any case when so many copies that it lists were looked at since: that is what looking without it costs. */
const LOOKS_A_READING = 10
/** Both grow steeply as they come due. */
const STEEPNESS = 8
/** A copy of this age is worth a fetch in any case, and more of them every day: before a year is over it is looked at. */
const DUE_DAYS = 300
/** Whoever is linked from more than this share of the pages held of its site is in its menus. */
const MENU_SHARE = 0.5

/**
 * By place: how many times the price a look at the copy is worth at least, whatever it is expected to gain; 0 for most.
 * `changedChance` is that of the page at a place.
 */
export function leastLooks(
  facts: Pick<Facts, 'pages' | 'ages' | 'domains' | 'claims' | 'inLinks'>,
  changedChance: (place: number) => number,
): Float64Array {
  const least = listLooks(facts, changedChance)
  yearlyLooks(facts)?.forEach((price, i) => {
    least[i] = Math.max(least[i], price)
  })
  return least
}

/**
 * By place: how many times the price it is worth at least to read a sitemap or feed again; 0 for all else. For one fetch it
 * tells which pages are new, changed and gone. So it may take one fetch in so many, less the less likely it has changed.
 */
function listLooks(
  facts: Pick<Facts, 'pages' | 'ages' | 'domains' | 'claims'>,
  changedChance: (place: number) => number,
): Float64Array {
  const { pages, ages, domains, claims } = facts
  const least = new Float64Array(pages.length)
  const lists = claims?.lists ?? []
  if (lists.length === 0) return least
  const agesOf = agesOfSites(facts, new Set(lists.map(({ place }) => domains[pages[place]])))
  for (const { place, copies } of lists) {
    const ofSite = agesOf.get(domains[pages[place]])!
    const looks = (countBelow(ofSite, ages[place]) * copies) / ofSite.length
    least[place] = ((looks * changedChance(place)) / LOOKS_A_READING) ** STEEPNESS
  }
  return least
}

/** The ages of all copies of some sites, youngest first. */
function agesOfSites(
  { pages, ages, domains }: Pick<Facts, 'pages' | 'ages' | 'domains'>,
  sites: ReadonlySet<number>,
): Map<number, Float64Array> {
  const held = new Uint32Array(boundOf(domains))
  for (const page of pages) held[domains[page]]++
  const agesOf = new Map(Array.from(sites, (site) => [site, new Float64Array(held[site])]))
  for (let i = 0; i < pages.length; i++) {
    const site = domains[pages[i]]
    const own = agesOf.get(site)
    if (own) own[--held[site]] = ages[i]
  }
  for (const own of agesOf.values()) own.sort()
  return agesOf
}

/** How many of some numbers, ascending, are below a limit. */
function countBelow(ascending: Float64Array, limit: number): number {
  let [low, high] = [0, ascending.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (ascending[middle] < limit) low = middle + 1
    else high = middle
  }
  return low
}

/**
 * By place: how many times the price a look at the copy is worth at least; 0 for most. What all pages link to may matter
 * to queries that nobody knows, and one such page that changes unseen can cost more than all others.
 */
function yearlyLooks({
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
