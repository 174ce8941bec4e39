import { olderThan } from '#policy/refresh/older-than.ts'
import type { Settings } from '../settings/settings.ts'

/** What settings say of plans beside the policy: caps, copies that must not grow older, and the seed of random orders. */
export function planRules(settings: Settings) {
  const { perHost, perDomain, maxPagesPerHost, maxPagesPerDomain, refreshAfter, seed } = settings
  const refresh = refreshAfter === undefined ? undefined : olderThan(refreshAfter)
  return { perHost, perDomain, maxPagesPerHost, maxPagesPerDomain, refresh, seed }
}
