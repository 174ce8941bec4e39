import type { Policy } from '../bids.ts'
import type { HistoryFacts } from '../facts/refresh-facts.ts'
import { azarRefresh, lambdaCrawl, weightedFreshness } from './by-fetch-rate.ts'
import { nutchAdaptive } from './nutch-adaptive.ts'
import { clickRefresh, qualityRefresh } from './quality.ts'
import { uniformRefresh } from './uniform.ts'
import { userCentric } from './user-centric.ts'

interface RefreshPolicy {
  readonly policy: Policy<HistoryFacts>
  /** A line for `--help`. */
  readonly summary: string
  /** Whether its bids are quality × days, so that they can be held against what was gained. */
  readonly bidsInQuality?: true
  /** Whether it bids nothing where nobody knows which copies searchers see. */
  readonly needsClicks?: true
}

/** Refreshing policies that learn as they go, by name. */
export const REFRESH_POLICIES: Readonly<Record<string, RefreshPolicy>> = {
  uniform: { policy: uniformRefresh, summary: 'the oldest copy first' },
  'nutch-adaptive': {
    policy: nutchAdaptive,
    summary: 'each page at an interval that shrinks with changes and grows without',
  },
  uc: { policy: userCentric('flat'), summary: 'measured gain a day times age' },
  'uc-clicks': {
    policy: userCentric('clicks'),
    summary: 'the same, with clicks as the prior of pages that never gained',
    needsClicks: true,
  },
  'cho-gm': {
    policy: weightedFreshness,
    summary: 'most clicks on fresh copies, even spacing',
    needsClicks: true,
  },
  azar: {
    policy: azarRefresh,
    summary: 'most clicks on fresh copies, random spacing',
    needsClicks: true,
  },
  lambdacrawl: {
    policy: lambdaCrawl,
    summary: 'least harmonic staleness, weighted by clicks',
    needsClicks: true,
  },
  clicks: {
    policy: clickRefresh,
    summary: 'clicks times the time a copy is likely stale',
    needsClicks: true,
  },
  quality: {
    policy: qualityRefresh,
    summary: 'expected gain of a change times the time a copy is likely stale',
    bidsInQuality: true,
    needsClicks: true,
  },
}
