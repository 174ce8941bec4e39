import type { HostState, RobotsRecord } from '#crawl/ports.ts'
import { textInForce } from '#fetch/client/robots-record.ts'
import { explainRobots, type RobotsExplanation } from '#fetch/robots/robots-explanation.ts'
import type { Frontier } from '#frontier/frontier.ts'
import type { ScopeTest } from '#frontier/scope.ts'
import { isKeptOut, isNoPage } from '#frontier/urls/url-states.ts'
import { MAX_FAILURES } from '#frontier/waiting-urls.ts'
import { parseRobots } from '#parse/robots/robots-txt.ts'
import { hostOf } from '#parse/url/canonical-url.ts'
import type { FullQuota, LimitName } from '#policy/budget/quota.ts'
import type { PastFetch } from '#repository/reports/url-reports.ts'
import type { StrayRedirect } from '../status/stray-redirects.ts'

/** Something that keeps a URL from being fetched next; `until` says when it ends, if time ends it, in seconds since 1970. */
export type Hold =
  /** Out of the crawl's scope, or it redirects to where that is. */
  | { readonly kind: 'scope'; readonly why: string; readonly stray?: StrayRedirect }
  | { readonly kind: 'robots'; readonly why: string }
  /** The operator had it forgotten. */
  | { readonly kind: 'forgotten' }
  /** It is left alone after what came of it; from `until` or `secondLookAt` on it gets another chance. */
  | {
      readonly kind: 'outcome'
      readonly state: 'disallowed' | 'forbidden' | 'no page' | 'failed'
      readonly failures: number
      readonly until?: number
      readonly secondLookAt?: number
    }
  /** It is tried again later, after so many failures of those it may have; none if it waits with its host. */
  | {
      readonly kind: 'retry'
      readonly until: number
      readonly failures: number
      readonly most: number
    }
  /** Its host is left alone for a while, or rests between two requests. */
  | {
      readonly kind: 'host'
      readonly until: number
      readonly isBackoff: boolean
      readonly seconds: number
      readonly reason?: string
    }
  /** A limit allows no more: so many fetches, or better bids of the plan, fill it. */
  | {
      readonly kind: 'limit'
      readonly setting: Exclude<LimitName, 'pattern'>
      readonly most: number
      readonly taken: number
    }
  /** Addresses of its shape brought nothing new lately. */
  | { readonly kind: 'pattern' }
  /** The copy is younger than `freshFor`. */
  | { readonly kind: 'fresh'; readonly until: number }
  /** So many better bids fill the plan. */
  | { readonly kind: 'plan'; readonly better: number; readonly planBudget: number }

/** What an origin's stored robots.txt says of a URL; undefined if it was never asked for. */
export function storedRobots(
  records: readonly RobotsRecord[],
  agentToken: string,
  url: string,
  now: number,
): RobotsExplanation | undefined {
  const { origin } = new URL(url)
  const record = records.find((one) => one.origin === origin)
  if (record === undefined) return undefined
  const text = textInForce(record, now)
  const state =
    text === undefined
      ? { kind: 'no' as const, record }
      : { kind: 'rules' as const, robots: parseRobots(text), record }
  return explainRobots(state, agentToken, url, now)
}

/** What robots.txt, scope or its host's troubles hold against a URL, known or not. */
export function outerHolds(
  url: string,
  depth: number,
  scope: ScopeTest,
  robots: RobotsExplanation | undefined,
  hostStates: readonly HostState[],
  now: number,
): Hold[] {
  const holds: Hold[] = []
  const outOfScope = scope(url, depth)
  if (outOfScope !== undefined) holds.push({ kind: 'scope', why: outOfScope })
  if (robots && !robots.allowed) {
    const why = robots.rule || `${robots.source}${robots.reason ? `: ${robots.reason}` : ''}`
    holds.push({ kind: 'robots', why })
  }
  const host = hostStates.find((state) => state.host === hostOf(url))
  const isBackoff = host !== undefined && host.backoffUntil > now
  const until = isBackoff ? host.backoffUntil : (host?.readyAt ?? 0)
  const reason = isBackoff ? host.reason : undefined
  if (until > now) holds.push({ kind: 'host', until, isBackoff, seconds: until - now, reason })
  return holds
}

/** What its own past holds against a URL that was not fetched with success, if the frontier would not offer it now. */
export function ownHolds(frontier: Frontier, url: number, now: number): Hold[] {
  if (frontier.instructed.isForgotten(url)) return [{ kind: 'forgotten' }]
  // Of a pattern that is excluded the scope tells.
  if (frontier.instructed.keepsOut(url) || frontier.unfetched(now).includes(url)) return []
  const state = frontier.stateOf(url)
  const failures = frontier.failuresOf(url)
  const retryAt = frontier.retryAtOf(url)
  if (isKeptOut(state))
    return [{ kind: 'outcome', state, failures, until: retryAt > 0 ? retryAt : undefined }]
  if (isNoPage(state))
    return [{ kind: 'outcome', state: 'no page', failures, secondLookAt: retryAt }]
  if (state === 'failed' && failures >= MAX_FAILURES)
    return [{ kind: 'outcome', state, failures, secondLookAt: retryAt }]
  return [{ kind: 'retry', until: retryAt, failures, most: MAX_FAILURES }]
}

/** That a redirect leads out of the scope, so that nothing comes of it. */
export function strayHolds(
  url: string,
  depth: number,
  fetches: readonly PastFetch[],
  scope: ScopeTest,
): Hold[] {
  const to = fetches.findLast(({ outcome }) => outcome === 'redirect')?.reason
  const why = to === undefined ? undefined : scope(to, depth)
  if (to === undefined || why === undefined) return []
  return [{ kind: 'scope', why, stray: { from: url, to, why } }]
}

/** A limit of the plan that leaves a URL no room. */
export function limitHold({ name, most, taken }: FullQuota): Hold {
  return name === 'pattern' ? { kind: 'pattern' } : { kind: 'limit', setting: name, most, taken }
}
