import type { Frontier } from '#frontier/frontier.ts'
import { lineageQuota, type QuotaOf } from '#frontier/lineage-quota.ts'
import type { PlanBudget } from '#learn/entries/entry.ts'
import { type Knowledge, knowledge, type Snapshot } from '#learn/knowledge.ts'
import type { Bids } from '#policy/bids.ts'
import { type FetchQuota, type FullQuota, QuotaState } from '#policy/budget/quota.ts'
import type { Reserve } from '#policy/budget/reserve.ts'
import type { TieRule } from '#policy/budget/ties.ts'
import { someFacts } from '#policy/facts/facts.ts'
import type { Plan, Planner, PlanRequest } from '#policy/planning/plan.ts'
import { olderThan, oldestInPlan } from '#policy/refresh/older-than.ts'
import { Forecasts } from './forecasts.ts'
import { hostLimit } from './host-limits.ts'
import { askedUrls, withAskedFirst } from './order/asked-first.ts'
import { holdBack } from './order/held-back.ts'
import { inLastPlan, namedFirst, withNamedFirst } from './order/named-first.ts'
import { keptForSecondLooks, type SecondLooks, withSecondLooks } from './order/second-looks.ts'
import { planSeedsFirst } from './order/seeds-first.ts'
import { isCopy, type PageCaps, pageCaps } from './page-caps.ts'

/** A crawl as it stands: what is known, and what it waits for. */
export interface CrawlState extends Knowledge {
  /** URLs sent and not answered when the latest plan was made. */
  underWay: ReadonlySet<number>
  /** What plans said of fetches that may be sent or are under way. */
  readonly forecasts: Forecasts
}

/** How a crawl is to be run. */
export interface CrawlRules extends PageCaps {
  /** Decides what to fetch next. */
  readonly policy: Planner
  /** Copies that are older, in seconds, must be fetched again: before anything else, but not all of a plan. */
  readonly refreshAfter?: number
  /** Caps on one plan. */
  readonly perHost?: number
  readonly perDomain?: number
  /** Stop when the rest of the budget is expected to gain less than this share of what has been gained. */
  readonly untilGain?: number
  readonly seed: number
}

/** A crawl at its beginning, or as it was left. */
export function crawlState(
  frontier: Frontier,
  snapshot: Omit<Snapshot, 'frontier'> = {},
): CrawlState {
  return {
    ...knowledge({ ...snapshot, frontier }),
    underWay: new Set(),
    forecasts: new Forecasts(),
  }
}

/** The next fetches, best first, and what hosts are kept busy with beside them. */
export function planCycle(
  state: CrawlState,
  rules: CrawlRules,
  means: PlanBudget,
  now: number,
): Plan {
  const plan = planWith(state, rules, means, now, true)
  const isIdle = plan.fetches.length === 0 && state.frontier.patterns.barrenCount > 0
  // Rather one more of a kind that brings nothing than none at all.
  return isIdle ? planWith(state, rules, means, now, false) : plan
}

function planWith(
  state: CrawlState,
  rules: CrawlRules,
  { budget, affords: left, reserve = 0, hostTakes }: PlanBudget,
  now: number,
  patternsRest: boolean,
): Plan {
  // Only what is under way is waited for: planning is dear, and nothing affordable would be no price.
  if (budget <= 0) return { fetches: [] }
  const { frontier } = state
  const affords = left ?? budget
  const looks = secondLooks(state, now)
  const unread = listsOf(state, now)
  const newHosts = lineageQuota(frontier)
  // Of equals, the first found goes first: it is nearer to what somebody named than what farms of hosts show later.
  const ties: TieRule = {}
  const limits = { budget, quotas: quotasOf(state, rules, newHosts(budget), patternsRest), ...ties }
  const forOthers = { ...limits, budget: budget - keptForSecondLooks(looks, budget, state.spent) }
  const seeds = frontier.unfetchedSeeds(now).filter((url) => isFree(state, url, now))
  const means = { budget, affords, reserve, hostTakes, newHosts, ties }
  const request = requestOf(state, rules, means, now)
  const { policy } = rules
  const planned = planSeedsFirst(
    seeds,
    frontier.size,
    forOthers,
    (limits) => policy.plan({ ...request, budget, limits }),
    (url) => policy.costOf?.(url) ?? 1,
  )
  const isLast = left !== undefined && left <= planned.fetches.length
  const named = isLast ? inLastPlan(unread, planned, frontier) : unread
  const plan = withNamedFirst(planned, named, forOthers, frontier)
  const full = { ...plan, fetches: withSecondLooks(plan.fetches, looks, limits) }
  const asked = askedUrls(frontier, now).filter((url) => isFree(state, url, now))
  return withAskedFirst(holdBack(full, named.quota), asked, limits, frontier)
}

/** What a plan is made from, where bids of several buckets compete: all that `planCycle` goes by, before anything is chosen. */
export interface PlanMaterial {
  readonly request: Omit<PlanRequest, 'limits'>
  readonly quotas: readonly FetchQuota[]
  /** What goes before all bids: asked for, named as seeds, and lists of sites, each in its order. */
  readonly asked: readonly number[]
  readonly seeds: Uint32Array
  readonly lists: readonly number[]
  readonly looks: SecondLooks
}

/** What a plan is made from. */
export function planMaterial(
  state: CrawlState,
  rules: CrawlRules,
  { budget, affords = budget }: PlanBudget,
  now: number,
): PlanMaterial {
  const { frontier } = state
  const newHosts = lineageQuota(frontier)
  const ties = { hashes: frontier.urls.hashes(), tieSeed: rules.seed }
  const means = { budget, affords, reserve: 0, newHosts, ties }
  const free = (url: number) => isFree(state, url, now)
  return {
    request: { ...requestOf(state, rules, means, now), budget },
    // Lineages of hosts cross buckets: by those that one bucket sees, new hosts would be held back that the whole crawl welcomes.
    quotas: quotasOf(state, rules, undefined, false),
    asked: askedUrls(frontier, now).filter(free),
    seeds: frontier.unfetchedSeeds(now).filter(free),
    lists: [...listsOf(state, now).lists.values()].flat(),
    looks: secondLooks(state, now),
  }
}

/** Whether nothing is under way for the URL, and its host is not left alone. */
function isFree({ underWay, resting }: CrawlState, url: number, now: number): boolean {
  return !underWay.has(url) && !resting.has(url, now)
}

/**
 * Of what a host promises, so much is counted on before it was tried, and for each fetch of it; or the share of what is
 * left that its good pages are of all. A page that names ten thousand others may promise more than the budget affords:
 * hosts that behave would have nothing to offer beside it.
 */
const FIRST_CLAIMS = 50
const CLAIMS_A_FETCH = 10

/** What may be spent in all, and where. */
interface Means extends Pick<PlanBudget, 'budget' | 'hostTakes'> {
  readonly affords: number
  readonly reserve: number
  readonly newHosts: QuotaOf
  readonly ties: TieRule
}

/** What is to be planned: the same for seeds and others, so that it is drafted once. */
function requestOf(
  state: CrawlState,
  rules: CrawlRules,
  means: Means,
  now: number,
): Omit<PlanRequest, 'limits'> {
  const { frontier } = state
  const isUnderWay = (url: number) => !isFree(state, url, now)
  // A seed is asked for all the same, so that whoever named it hears of the rule.
  const isKeptOut = (url: number) => frontier.robots.forbids(url, now) && !frontier.isSeed(url)
  const candidates = frontier.unfetched(now).filter((url) => !isUnderWay(url) && !isKeptOut(url))
  const limitOf = refreshLimit(frontier, rules)
  const aged = () => someFacts(frontier.refreshFacts(now, (url) => !isUnderWay(url)))
  const otherBids: Bids[] = limitOf
    ? [oldestInPlan(olderThan(limitOf).bids(aged()), means.budget, means.ties)]
    : []
  const { affords } = means
  const { seed } = rules
  const reserve = means.reserve > 0 ? reserveOf(frontier, means) : undefined
  return { now, seed, candidates, isUnderWay, affords, otherBids, reserve }
}

/** The age in seconds at which a copy of each URL must be fetched again; undefined if there is none for anybody. */
export function refreshLimit(
  frontier: Frontier,
  { refreshAfter, hostLimitsOf }: Pick<CrawlRules, 'refreshAfter' | 'hostLimitsOf'>,
): ((url: number) => number) | undefined {
  const limit = hostLimit('refreshAfter', frontier, hostLimitsOf, refreshAfter)
  if (limit === undefined) return undefined
  if (typeof limit === 'number') return () => limit
  return (url) => limit[frontier.urls.hostNumberOf(url)]
}

function reserveOf(frontier: Frontier, { affords, reserve, hostTakes, newHosts }: Means): Reserve {
  const hosts = frontier.urls.hosts()
  const inTime = hostTakes === undefined ? undefined : { groups: hosts, most: hostTakes }
  const { byHost } = frontier.visited()
  const most = new Float64Array(frontier.urls.hostCount).fill(FIRST_CLAIMS)
  byHost.forEach((fetches, host) => {
    const earned = affords * frontier.lineages.goodShareOf(host)
    most[host] = Math.max(FIRST_CLAIMS, CLAIMS_A_FETCH * fetches, Math.ceil(earned))
  })
  const strangers = newHosts(affords)
  const proven = [{ groups: hosts, most }, ...(strangers ? [strangers] : [])]
  return { most: reserve, hosts, inTime, proven }
}

function secondLooks(state: CrawlState, now: number): SecondLooks {
  const { frontier } = state
  return {
    urls: frontier.secondLooks(now).filter((url) => isFree(state, url, now)),
    linksTo: (url) => frontier.inLinksOf(url),
    isNamed: (url) => frontier.isSeed(url),
    why: (url) => `a second look: it was ${frontier.stateOf(url)} last time`,
  }
}

/** The named limits that leave a URL no room beside the fetches of a plan. */
export function fullLimits(
  state: CrawlState,
  rules: CrawlRules,
  planned: readonly { readonly url: number }[],
  { budget }: Pick<PlanBudget, 'budget'>,
  now: number,
  url: number,
): FullQuota[] {
  const newHosts = lineageQuota(state.frontier)(budget)
  const firstContact = { name: 'first contact', ...listsOf(state, now).quota } as const
  const quotas = [...quotasOf(state, rules, newHosts, true), firstContact]
  const quotaState = new QuotaState({ quotas })
  for (const fetch of planned) quotaState.take(fetch.url)
  return quotaState.fullFor(url)
}

/** The sitemaps and feeds that come first now. */
function listsOf(state: CrawlState, now: number) {
  return namedFirst(state.frontier, now, state.underWay, (url) => isFree(state, url, now))
}

function quotasOf(
  { frontier, underWay }: CrawlState,
  rules: CrawlRules,
  newHosts: FetchQuota | undefined,
  patternsRest: boolean,
): FetchQuota[] {
  const { perHost, perDomain } = rules
  const [hosts, domains] = [frontier.urls.hosts(), frontier.urls.domains()]
  const quotas: FetchQuota[] = []
  if (perHost !== undefined) quotas.push({ name: 'perHost', groups: hosts, most: perHost })
  if (perDomain !== undefined) quotas.push({ name: 'perDomain', groups: domains, most: perDomain })
  quotas.push(...pageCaps(frontier, rules, [...underWay]))
  const isExempt = isCopy(frontier)
  const barren = frontier.patterns.quota(patternsRest)
  if (barren) quotas.push({ name: 'pattern', ...barren, isExempt })
  if (newHosts) quotas.push({ name: 'new hosts', ...newHosts })
  return quotas
}
