import { ChangeClaims } from '#frontier/change-claims.ts'
import { mixHash } from '#numeric/hash.ts'
import type { ClaimFacts } from '#policy/facts/held-pages.ts'
import type { WeeklyPages } from './weekly-pages.ts'

/** What sitemaps say: nothing at all, the truth, or each host its own: truth, nothing, or lies. */
export const LASTMODS = ['none', 'honest', 'mixed'] as const
export type Lastmod = (typeof LASTMODS)[number]

/** How a host's sitemap behaves: `random` dates some pages anew each week, `always` all of them. */
export type SitemapKind = 'honest' | 'missing' | 'random' | 'always'

/** What sitemaps say while pages change, and what was learnt of how far to believe them. */
export interface Signals {
  /** What is said of each page, in a week, against when it was last fetched. */
  claims(week: number, lastFetch: Uint32Array): ClaimFacts
  /** A fetch showed whether what was said was true. */
  test(week: number, page: number, lastFetch: number, changed: boolean): void
  /** By kind of host: how sure a change is that is claimed, were it as likely as not without the claim. */
  beliefs(): Partial<Record<SitemapKind, number>>
}

/** Recorded sites mostly have one host; pages are dealt out to so many, each with a sitemap of its own. */
const HOSTS = 12
const MIXED_KINDS: readonly SitemapKind[] = [
  'honest',
  'missing',
  'random',
  'honest',
  'missing',
  'always',
]
const RANDOM_SHARE = 0.1

/** Sitemaps for the pages of an archive; undefined for `none`. */
export function lastmodSignals(
  pages: WeeklyPages,
  lastmod: Lastmod,
  seed: number,
): Signals | undefined {
  if (lastmod === 'none') return undefined
  const hostOf = pages.archivePages.map((_, page) => mixHash(seed, page) % HOSTS)
  const kindOf = (host: number): SitemapKind =>
    lastmod === 'honest' ? 'honest' : MIXED_KINDS[host % MIXED_KINDS.length]
  const { lastChange, lastLie } = claimedWeeks(pages, seed)
  const says = (week: number, page: number, lastFetch: number): boolean => {
    const place = page * pages.weeks + week
    switch (kindOf(hostOf[page])) {
      case 'honest':
        return lastChange[place] > lastFetch
      case 'missing':
        return false
      case 'random':
        return lastLie[place] > lastFetch
      case 'always':
        return true
    }
  }
  const trust = new ChangeClaims()
  return {
    claims: (week, lastFetch) => ({
      oddsFactors: Float64Array.from(hostOf, (host, page) =>
        kindOf(host) === 'missing' ? 1 : trust.oddsFactor(host, says(week, page, lastFetch[page])),
      ),
    }),
    test: (week, page, lastFetch, changed) => {
      const host = hostOf[page]
      if (says(week, page, lastFetch)) trust.count(host, changed)
      else if (kindOf(host) !== 'missing') trust.countSilence(host, changed)
    },
    beliefs: () => meanBeliefs(trust, kindOf),
  }
}

/** By page and week: the latest week in which it changed, and in which a liar would say so; 0 for none. */
function claimedWeeks({ contents, weeks }: WeeklyPages, seed: number) {
  const lastChange = new Uint16Array(contents.length)
  const lastLie = new Uint16Array(contents.length)
  for (let place = 0; place < contents.length; place++) {
    const week = place % weeks
    if (week === 0) continue
    const changed = contents[place] !== contents[place - 1]
    const lies = mixHash(seed + 1, place) < RANDOM_SHARE * 2 ** 32
    lastChange[place] = changed ? week : lastChange[place - 1]
    lastLie[place] = lies ? week : lastLie[place - 1]
  }
  return { lastChange, lastLie }
}

function meanBeliefs(
  trust: ChangeClaims,
  kindOf: (host: number) => SitemapKind,
): Partial<Record<SitemapKind, number>> {
  const sums = new Map<SitemapKind, number[]>()
  for (let host = 0; host < HOSTS; host++) {
    const factor = trust.oddsFactor(host, true)
    sums.set(kindOf(host), [...(sums.get(kindOf(host)) ?? []), factor / (1 + factor)])
  }
  return Object.fromEntries(
    Array.from(sums, ([kind, list]) => [kind, list.reduce((a, b) => a + b) / list.length]),
  )
}
