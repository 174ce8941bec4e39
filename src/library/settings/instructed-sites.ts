import type { HostManner } from '#frontier/instructions.ts'
import { bySpecificity, matchesHost } from '#parse/url/site-match.ts'
import { matchOf } from './site-rules.ts'
import type { SiteSetting } from './site-setting.ts'

/** Sites with the manners that an operator asked for since, by host; whatever else holds for a host stays. */
export function withManners(
  sites: readonly SiteSetting[] | undefined,
  manners: ReadonlyMap<string, HostManner>,
): readonly SiteSetting[] | undefined {
  if (manners.size === 0) return sites
  const all = sites ?? []
  const own = [...manners].map(([host, manner]) => ({
    ...{ ...siteOf(host, all), match: host, ...askedLike(manner) },
  }))
  return [...all.filter(({ match }) => !manners.has(match)), ...own]
}

/** What else was said of a host is for plans to know. */
function askedLike({ delay, concurrency, quietHours }: HostManner): HostManner {
  return {
    ...(delay !== undefined && { delay }),
    ...(concurrency !== undefined && { concurrency }),
    ...(quietHours !== undefined && { quietHours }),
  }
}

/** What settings say of all of a host. */
export function siteOf(host: string, sites: readonly SiteSetting[]): SiteSetting | undefined {
  return sites
    .map((site) => ({ site, match: matchOf(site) }))
    .filter(({ match }) => match.path === '' && matchesHost(match, host))
    .sort((a, b) => bySpecificity(a.match, b.match))
    .at(0)?.site
}
