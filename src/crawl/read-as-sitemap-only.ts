import type { Frontier } from '#frontier/frontier.ts'
import type { ScopeTest } from '#frontier/scope.ts'
import type { FetchOutcome } from '#learn/entries/outcome.ts'

/**
 * The outcome as it counts: what lies out of scope and was let in because robots.txt calls it a sitemap is not
 * read as anything else, so that no page of another host comes in that way.
 */
export function readAsSitemapOnly(
  outcome: FetchOutcome,
  frontier: Frontier,
  scope: ScopeTest,
): FetchOutcome {
  if (outcome.kind !== 'page' || outcome.page.form !== 'page') return outcome
  const { id, url } = outcome
  if (frontier.discoveries.sourceOf(id) !== 'robots') return outcome
  if (scope(url, frontier.discoveries.depthOf(id)) === undefined) return outcome
  const { page: _, contentHash: __, etag: ___, lastModified: ____, ...answer } = outcome
  return {
    ...answer,
    kind: 'unreadable',
    reason: 'out of scope, and not the sitemap it was said to be',
  }
}
