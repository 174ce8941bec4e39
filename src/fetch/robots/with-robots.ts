import type { FetchOutcome, KeptRecord } from '#learn/entries/outcome.ts'
import { forbidsSearch } from '#parse/page/directives.ts'
import { NO_SEARCH, withAsked } from '../http/content-hash.ts'
import type { RobotsCache } from './robots-cache.ts'

/**
 * The first outcome after a robots.txt was read brings it along, its rules, and the sitemaps it names; and whatever
 * of any robots.txt was written since the last outcome.
 */
export function withRobots(
  outcome: FetchOutcome,
  cache: RobotsCache,
  kept: readonly KeptRecord[],
): FetchOutcome {
  const { origin } = new URL(outcome.url)
  const sitemaps = cache.takeFound(origin)
  const robots = cache.takeExchanges(origin)
  const rules = cache.takeRules(origin)
  if (!sitemaps && !robots && rules === undefined && kept.length === 0) return outcome
  const found = sitemaps && [...(outcome.found ?? []), ...sitemaps]
  return {
    ...outcome,
    ...(found && { found }),
    ...(robots && { robots }),
    ...(kept.length > 0 && { kept: { robots: kept } }),
    ...(rules !== undefined && { rules }),
  }
}

/** What robots.txt says about usage counts for pages that say nothing themselves. */
export function withUsage(outcome: FetchOutcome, usage: string | undefined): FetchOutcome {
  if (usage === undefined || outcome.kind !== 'page' || outcome.page.contentUsage !== undefined)
    return outcome
  const page = { ...outcome.page, contentUsage: usage }
  if (!forbidsSearch(usage)) return { ...outcome, page }
  const contentHash = withAsked(outcome.contentHash, NO_SEARCH)
  return { ...outcome, page: { ...page, noindex: true }, contentHash }
}
