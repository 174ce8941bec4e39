import {
  contentUsage,
  crawlDelaySeconds,
  groupNameFor,
  isAllowed,
  type Robots,
} from '#parse/robots/robots-txt.ts'
import type { RobotsState } from './robots-cache.ts'

/** Why a URL may be fetched or not, for people. */
export interface RobotsExplanation {
  readonly allowed: boolean
  /** The line that decided; '' when none did. */
  readonly rule: string
  /** The group that holds for us: our name, `*`, or none. */
  readonly group?: string
  readonly crawlDelaySeconds?: number
  /** Where the rules come from. */
  readonly source: 'file' | 'no file' | 'last good copy' | 'closed' | 'unreachable' | 'forbidden'
  /** Why there is no file to go by. */
  readonly reason?: string
  /** Since the rules were fetched. */
  readonly ageSeconds?: number
  readonly validUntil?: number
  readonly sitemaps: readonly string[]
  readonly contentUsage?: string
}

/** What an origin's robots.txt means for one URL. */
export function explainRobots(
  state: RobotsState,
  agentToken: string,
  url: string,
  now: number,
): RobotsExplanation {
  if (state.kind === 'forbidden')
    return { allowed: false, rule: '', source: 'forbidden', reason: state.reason, sitemaps: [] }
  const { kind, reason, validUntil, fetchedAt, textAt } = state.record
  const known = {
    reason,
    validUntil,
    ageSeconds: now - (kind === 'unreachable' ? (textAt ?? fetchedAt) : fetchedAt),
  }
  if (state.kind === 'no') {
    const source = kind === 'closed' ? 'closed' : 'unreachable'
    return { allowed: false, rule: '', source, sitemaps: [], ...known }
  }
  const source = kind === 'file' ? 'file' : kind === 'none' ? 'no file' : 'last good copy'
  return { source, ...known, ...rulesFor(state.robots, agentToken, url) }
}

function rulesFor(robots: Robots, agentToken: string, url: string) {
  const { allowed, rule } = isAllowed(robots, agentToken, url)
  return {
    allowed,
    rule,
    sitemaps: robots.sitemaps,
    group: groupNameFor(robots, agentToken),
    crawlDelaySeconds: crawlDelaySeconds(robots, agentToken),
    contentUsage: contentUsage(robots, agentToken, url),
  }
}
