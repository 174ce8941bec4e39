import type { Frontier } from '#frontier/frontier.ts'
import { globTest } from '#frontier/glob.ts'
import { patternTest, type ScopeRules } from '#frontier/scope.ts'
import { matchesHost, matchesUrl } from '#parse/url/site-match.ts'
import { matchOf } from '../settings/site-rules.ts'
import type { SiteSetting } from '../settings/site-setting.ts'
import type { NoteListener } from './crawl-note.ts'
import type { OpenCrawl } from './open-crawl.ts'

/** Patterns to be included that match none of the URLs, as far as anybody can tell a slip of the pen from patience. */
export function unmatchedIncludes(
  { include = [], sites = [] }: Partial<ScopeRules>,
  urls: () => Iterable<string>,
): string[] {
  const ofSites = sites.flatMap((site) => site.include ?? [])
  const tests = new Map([
    ...include.map((pattern) => [pattern, globTest(pattern)] as const),
    ...ofSites.map((pattern) => [pattern, patternTest(pattern)] as const),
  ])
  for (const url of tests.size === 0 ? [] : urls()) {
    for (const [pattern, matches] of tests) if (matches(url)) tests.delete(pattern)
    if (tests.size === 0) break
  }
  return [...tests.keys()]
}

/** All URLs that a crawl knows. */
export function* knownUrls({ urls, size }: Frontier): Generator<string> {
  for (let number = 0; number < size; number++) yield urls.urlOf(number)
}

/** Says what is probably a slip of the pen: patterns and sites that nothing of a crawl matches. */
export function noteUnmatched(
  { state, seeds, rules }: OpenCrawl,
  sites: readonly SiteSetting[] | undefined,
  note: NoteListener,
): void {
  for (const match of unmatchedSites(sites, seeds, state.frontier))
    note({ kind: 'site not known', match })
  const patterns = rules.include ?? []
  if (state.spent > 0 || patterns.length === 0) return
  if (unmatchedIncludes({ include: patterns }, () => seeds).length === patterns.length)
    note({ kind: 'includes no seed', patterns })
}

/** Own sites that are neither among the seeds nor among the hosts known so far. */
function unmatchedSites(
  sites: readonly SiteSetting[] = [],
  seeds: readonly string[],
  { urls }: Frontier,
): string[] {
  return sites.flatMap((site) => {
    const match = matchOf(site)
    if (seeds.some((seed) => matchesUrl(match, new URL(seed)))) return []
    const host = { ...match, path: '' }
    for (let number = 0; number < urls.hostCount; number++)
      if (matchesHost(host, urls.hostName(number))) return []
    return site.match
  })
}
