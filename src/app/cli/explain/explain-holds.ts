import type { HostState, RobotsRecord } from '#crawl/ports.ts'
import { textInForce } from '#fetch/client/robots-record.ts'
import { explainRobots, type RobotsExplanation } from '#fetch/robots/robots-explanation.ts'
import type { Frontier } from '#frontier/frontier.ts'
import { lineageQuota } from '#frontier/lineage-quota.ts'
import type { ScopeTest } from '#frontier/scope.ts'
import { isKeptOut, isNoPage } from '#frontier/urls/url-states.ts'
import { MAX_FAILURES } from '#frontier/waiting-urls.ts'
import type { Settings } from '#library/settings/settings.ts'
import { parseRobots } from '#parse/robots/robots-txt.ts'
import { hostOf } from '#parse/url/canonical-url.ts'
import type { PastFetch } from '#repository/reports/url-reports.ts'
import { momentText } from '../../text/age.ts'
import { some } from '../terminal/output.ts'
import { strayText } from '../words/stray-redirects.ts'

/** Something that keeps a URL from being fetched next. */
export interface Hold {
  readonly kind:
    | 'scope'
    | 'robots'
    | 'outcome'
    | 'retry'
    | 'host'
    | 'limit'
    | 'pattern'
    | 'fresh'
    | 'plan'
  /** For people. */
  readonly text: string
  /** When it ends, if time ends it; seconds since 1970. */
  readonly until?: number
}

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
  if (outOfScope !== undefined) holds.push({ kind: 'scope', text: `out of scope: ${outOfScope}` })
  if (robots && !robots.allowed) {
    const why = robots.rule || `${robots.source}${robots.reason ? `: ${robots.reason}` : ''}`
    holds.push({ kind: 'robots', text: `robots.txt forbids it (${why})` })
  }
  const host = hostStates.find((state) => state.host === hostOf(url))
  if (host && host.backoffUntil > now) {
    const why = host.reason === undefined ? '' : ` (${host.reason})`
    const text = `its host is left alone until ${momentText(host.backoffUntil)}${why}`
    holds.push({ kind: 'host', text, until: host.backoffUntil })
  } else if (host && host.readyAt > now) {
    const text = `its host rests for ${(host.readyAt - now).toFixed(1)} s more`
    holds.push({ kind: 'host', text, until: host.readyAt })
  }
  return holds
}

/** What its own past holds against a URL that was not fetched with success. */
export function ownHolds(frontier: Frontier, url: number, now: number): Hold[] {
  const state = frontier.stateOf(url)
  const failures = frontier.failuresOf(url)
  const retryAt = frontier.retryAtOf(url)
  if (isKeptOut(state)) {
    if (retryAt > 0 && retryAt <= now) return []
    const until = retryAt > 0 ? { until: retryAt } : {}
    return [{ kind: 'outcome', text: keptOutText(state, retryAt), ...until }]
  }
  if (isNoPage(state))
    return [{ kind: 'outcome', text: secondLookText('there was no page', retryAt) }]
  if (state === 'failed' && failures >= MAX_FAILURES)
    return [{ kind: 'outcome', text: secondLookText(`it failed ${failures} times`, retryAt) }]
  if (retryAt <= now) return []
  const why = failures > 0 ? `after ${failures} of ${MAX_FAILURES} tries` : 'with its host'
  return [{ kind: 'retry', text: `waits until ${momentText(retryAt)} ${why}`, until: retryAt }]
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
  return [{ kind: 'scope', text: `it ${strayText({ from: url, to, why })}` }]
}

function keptOutText(state: 'disallowed' | 'forbidden', retryAt: number): string {
  const why =
    state === 'disallowed'
      ? 'robots.txt forbade it when it was its turn'
      : 'we do not go to its address: private (see --allow-private), or not a web port (see --resolve)'
  return retryAt > 0 ? `${why}; it is asked about again from ${momentText(retryAt)} on` : why
}

function secondLookText(why: string, from: number): string {
  return `${why}; it gets a second look from ${momentText(from)} on, if fetches are left over`
}

/** Limits that leave no room for a URL; `planned` are the URLs of the plan. */
export function limitHolds(
  frontier: Frontier,
  url: number,
  settings: Settings,
  planned: readonly number[],
): Hold[] {
  const [hosts, domains] = [frontier.urls.hosts(), frontier.urls.domains()]
  const { byHost, byDomain } = frontier.visited()
  const plannedLike = (groups: Uint32Array) =>
    planned.filter((other) => groups[other] === groups[url]).length
  const caps = [
    ['--max-pages-per-host', settings.maxPagesPerHost, byHost[hosts[url]] ?? 0, 'fetches of'],
    [
      '--max-pages-per-domain',
      settings.maxPagesPerDomain,
      byDomain[domains[url]] ?? 0,
      'fetches of',
    ],
    ['--per-host', settings.perHost, plannedLike(hosts), 'better bids of'],
    ['--per-domain', settings.perDomain, plannedLike(domains), 'better bids of'],
  ] as const
  const holds: Hold[] = []
  for (const [flag, most, count, what] of caps)
    if (most !== undefined && count >= most) {
      const group = flag.endsWith('host') ? 'its host' : 'its domain'
      holds.push({ kind: 'limit', text: `${flag} ${most}: ${count} ${what} ${group} fill it` })
    }
  if (frontier.patterns.isBarren(url)) {
    const text = 'addresses of this shape brought nothing new lately: one of them a plan'
    holds.push({ kind: 'pattern', text })
  }
  return [...holds, ...newHostHold(frontier, url, planned)]
}

/** New hosts of a lineage share what its good pages have earned; see `lineage-quota.ts`. */
function newHostHold(frontier: Frontier, url: number, planned: readonly number[]): Hold[] {
  const quota = lineageQuota(frontier, planned.length)
  if (!quota || planned.includes(url)) return []
  const { groups, most } = quota
  const room = most[groups[url]]
  const taken = planned.filter((other) => groups[other] === groups[url]).length
  if (taken < room) return []
  const text = `its host has not answered yet: new hosts that the same seed led to have earned ${some(room, 'fetch', 'fetches')} of this plan`
  return [{ kind: 'limit', text }]
}
