import { namedFirst, OTHERS_MEANWHILE } from '#crawl/named-first.ts'
import type { HostState, RobotsRecord } from '#crawl/ports.ts'
import { textInForce } from '#fetch/client/robots-record.ts'
import { explainRobots, type RobotsExplanation } from '#fetch/robots/robots-explanation.ts'
import type { Frontier } from '#frontier/frontier.ts'
import { lineageQuota } from '#frontier/lineage-quota.ts'
import type { ScopeTest } from '#frontier/scope.ts'
import { isKeptOut, isNoPage } from '#frontier/urls/url-states.ts'
import { MAX_FAILURES } from '#frontier/waiting-urls.ts'
import { parseRobots } from '#parse/robots/robots-txt.ts'
import { hostOf } from '#parse/url/canonical-url.ts'
import type { PastFetch } from '#repository/reports/url-reports.ts'
import type { Settings } from '../settings/settings.ts'
import type { StrayRedirect } from '../status/stray-redirects.ts'

/** Something that keeps a URL from being fetched next; `until` says when it ends, if time ends it, in seconds since 1970. */
export type Hold =
  /** Out of the crawl's scope, or it redirects to where that is. */
  | { readonly kind: 'scope'; readonly why: string; readonly stray?: StrayRedirect }
  | { readonly kind: 'robots'; readonly why: string }
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
  /** A setting allows no more of its host or domain: so many fetches, or better bids of the plan, fill it. */
  | {
      readonly kind: 'limit'
      readonly setting: 'maxPagesPerHost' | 'maxPagesPerDomain' | 'perHost' | 'perDomain'
      readonly most: number
      readonly taken: number
    }
  /** Its host has not answered yet, and new hosts that the same seed led to have earned so many fetches of a plan. */
  | { readonly kind: 'limit'; readonly setting: 'new hosts'; readonly most: number }
  /** Sitemaps and feeds of its site are to be read first, or it was never contacted. */
  | { readonly kind: 'limit'; readonly setting: 'first contact'; readonly most: number }
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

/** What its own past holds against a URL that was not fetched with success. */
export function ownHolds(frontier: Frontier, url: number, now: number): Hold[] {
  const state = frontier.stateOf(url)
  const failures = frontier.failuresOf(url)
  const retryAt = frontier.retryAtOf(url)
  if (isKeptOut(state)) {
    if (retryAt > 0 && retryAt <= now) return []
    return [{ kind: 'outcome', state, failures, until: retryAt > 0 ? retryAt : undefined }]
  }
  if (isNoPage(state))
    return [{ kind: 'outcome', state: 'no page', failures, secondLookAt: retryAt }]
  if (state === 'failed' && failures >= MAX_FAILURES)
    return [{ kind: 'outcome', state, failures, secondLookAt: retryAt }]
  if (retryAt <= now) return []
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

/** Limits that leave no room for a URL; `planned` are the URLs of the plan. */
export function limitHolds(
  frontier: Frontier,
  url: number,
  settings: Settings,
  planned: readonly number[],
  now: number,
): Hold[] {
  const [hosts, domains] = [frontier.urls.hosts(), frontier.urls.domains()]
  const { byHost, byDomain } = frontier.visited()
  const plannedLike = (groups: Uint32Array) =>
    planned.filter((other) => groups[other] === groups[url]).length
  const caps = [
    ['maxPagesPerHost', byHost[hosts[url]] ?? 0],
    ['maxPagesPerDomain', byDomain[domains[url]] ?? 0],
    ['perHost', plannedLike(hosts)],
    ['perDomain', plannedLike(domains)],
  ] as const
  const holds: Hold[] = []
  for (const [setting, taken] of caps) {
    const most = settings[setting]
    if (most !== undefined && taken >= most) holds.push({ kind: 'limit', setting, most, taken })
  }
  if (frontier.patterns.isBarren(url)) holds.push({ kind: 'pattern' })
  return [
    ...holds,
    ...newHostHold(frontier, url, planned),
    ...firstContactHold(frontier, url, planned, now),
  ]
}

/** A site that was never contacted, or names lists that nobody has read, gets few fetches; see `named-first.ts`. */
function firstContactHold(
  frontier: Frontier,
  url: number,
  planned: readonly number[],
  now: number,
): Hold[] {
  const { groups, most, isExempt } = namedFirst(frontier, now).quota
  const counts = (other: number) => groups[other] === groups[url] && !isExempt(other)
  if (!counts(url) || planned.filter(counts).length < most[groups[url]]) return []
  return [{ kind: 'limit', setting: 'first contact', most: OTHERS_MEANWHILE }]
}

/** New hosts of a lineage share what its good pages have earned; see `lineage-quota.ts`. */
function newHostHold(frontier: Frontier, url: number, planned: readonly number[]): Hold[] {
  const quota = lineageQuota(frontier)(planned.length)
  if (!quota || planned.includes(url)) return []
  const { groups, most } = quota
  const room = most[groups[url]]
  const taken = planned.filter((other) => groups[other] === groups[url]).length
  if (taken < room) return []
  return [{ kind: 'limit', setting: 'new hosts', most: room }]
}
