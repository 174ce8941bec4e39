import { olderThan } from '#policy/refresh/older-than.ts'
import type { Settings } from '../settings/settings.ts'

/** What settings say of plans beside the policy: caps, copies that must not grow older, and the seed of random orders. */
export function planRules(settings: Settings) {
  const { refreshAfter, seed } = settings
  return {
    perHost: settings.perHost,
    perDomain: settings.perDomain,
    maxPerHost: settings.maxPagesPerHost,
    maxPerDomain: settings.maxPagesPerDomain,
    refresh: refreshAfter === undefined ? undefined : olderThan(refreshAfter),
    seed,
  }
}
