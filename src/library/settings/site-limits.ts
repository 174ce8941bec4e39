import type { HostLimits } from '#frontier/instructions.ts'
import { bySpecificity, matchesHost } from '#parse/url/site-match.ts'
import { timeSpan } from './setting-kinds.ts'
import { matchOf } from './site-rules.ts'
import type { SiteSetting } from './site-setting.ts'

/** By host: how much of it settings of own sites let in; undefined if they limit nobody. */
export function siteLimits(
  sites: readonly SiteSetting[] = [],
): ((host: string) => HostLimits | undefined) | undefined {
  if (!sites.some((site) => site.maxPages !== undefined || site.refreshAfter !== undefined))
    return undefined
  // The one whose match says most holds, also if it sets no limit.
  const ofHosts = sites
    .map((site) => ({ match: matchOf(site), limits: limitsIn(site) }))
    .filter(({ match }) => match.path === '')
    .sort((a, b) => bySpecificity(a.match, b.match))
  return (host) => ofHosts.find(({ match }) => matchesHost(match, host))?.limits
}

/** The limits of one entry. */
export function limitsIn({ maxPages, refreshAfter }: SiteSetting): HostLimits {
  return { maxPages, refreshAfter: timeSpan.fromJson(refreshAfter) }
}
