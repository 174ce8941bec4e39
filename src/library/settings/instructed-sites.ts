import { bySpecificity, matchesHost } from '#parse/url/site-match.ts'
import { matchOf } from './site-rules.ts'
import type { SiteSetting } from './site-setting.ts'

/** Sites with the delays that an operator asked for since, by host; whatever else holds for a host stays. */
export function withDelays(
  sites: readonly SiteSetting[] | undefined,
  delays: ReadonlyMap<string, number>,
): readonly SiteSetting[] | undefined {
  if (delays.size === 0) return sites
  const all = sites ?? []
  const own = [...delays].map(([host, delay]) => ({ ...siteOf(host, all), match: host, delay }))
  return [...all.filter(({ match }) => !delays.has(match)), ...own]
}

/** What holds for all of a host. */
function siteOf(host: string, sites: readonly SiteSetting[]): SiteSetting | undefined {
  return sites
    .map((site) => ({ site, match: matchOf(site) }))
    .filter(({ match }) => match.path === '' && matchesHost(match, host))
    .sort((a, b) => bySpecificity(a.match, b.match))
    .at(0)?.site
}
