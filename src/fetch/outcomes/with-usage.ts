import type { FetchOutcome } from '#learn/entries/outcome.ts'
import { forbidsSearch } from '#parse/page/directives.ts'
import { NO_SEARCH, withAsked } from '../http/content-hash.ts'

/** What robots.txt says about usage counts for pages that say nothing themselves. */
export function withUsage(outcome: FetchOutcome, usage: string | undefined): FetchOutcome {
  if (usage === undefined || outcome.kind !== 'page' || outcome.page.contentUsage !== undefined)
    return outcome
  const page = { ...outcome.page, contentUsage: usage }
  if (!forbidsSearch(usage)) return { ...outcome, page }
  const contentHash = withAsked(outcome.contentHash, NO_SEARCH)
  return { ...outcome, page: { ...page, noindex: true }, contentHash }
}
