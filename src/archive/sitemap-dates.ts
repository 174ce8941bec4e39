import { hash32, mixHash } from '#numeric/hash.ts'
import type { Archive } from './format/archive.ts'

/** Whether hosts have sitemaps: true ones, none, or each its own kind: true dates, no dates or wrong ones. */
export const SITEMAPS = ['honest', 'none', 'mixed'] as const
export type Sitemaps = (typeof SITEMAPS)[number]

/** How a host dates its pages: `random` some of them anew at each snapshot, `always` all of them. */
type Dating = 'honest' | 'undated' | 'random' | 'always'
const MIXED: readonly Dating[] = ['honest', 'undated', 'random', 'honest', 'undated', 'always']
/** Of the pages that are dated at random, so many are dated anew. */
const RANDOM_SHARE = 0.1

/** When a sitemap says that a page changed last, in seconds since 1970; undefined where it does not say. */
export function sitemapDate(
  archive: Archive,
  sitemaps: Sitemaps,
  host: string,
  page: number,
  snapshot: number,
): number | undefined {
  switch (sitemaps === 'mixed' ? MIXED[hash32(host) % MIXED.length] : 'honest') {
    case 'honest':
      return archive.liveSince(page, snapshot)
    case 'undated':
      return undefined
    case 'always':
      return archive.timeOf(snapshot)
    case 'random':
      return archive.timeOf(lastDatedAnew(page, snapshot))
  }
}

function lastDatedAnew(page: number, snapshot: number): number {
  let at = snapshot
  while (at > 0 && mixHash(page, at) >= RANDOM_SHARE * 2 ** 32) at--
  return at
}
