import type { RecordedWeb } from '#archive/recorded-web.ts'
import { type ScopeTest, scopeTest } from '#frontier/scope.ts'
import { hostOf } from '#parse/url/canonical-url.ts'

/** The hosts the archive has pages of; elsewhere there is nothing to find. */
export function recordedScope(web: RecordedWeb): ScopeTest {
  const isTrap = scopeTest({ scope: 'anywhere' }, web.seeds())
  return (url, depth) =>
    web.hasHost(hostOf(url)) ? isTrap(url, depth) : 'outside the recorded hosts'
}
