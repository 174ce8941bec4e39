import type { Frontier } from '#frontier/frontier.ts'
import { lineageQuota } from '#frontier/lineage-quota.ts'
import { apply } from '#learn/apply.ts'
import type { PlanBudget, PlanEntry } from '#learn/entries/entry.ts'
import type { Forecast } from '#learn/entries/fetch-entry.ts'
import type { FetchOutcome } from '#learn/entries/outcome.ts'
import { type Knowledge, knowledge, type Snapshot } from '#learn/knowledge.ts'
import { readAsSitemapOnly } from '#learn/pages/lent-sitemaps.ts'
import { boundOf } from '#numeric/bound-of.ts'
import type { Bidder } from '#policy/bidder.ts'
import type { FetchQuota } from '#policy/budget/quota.ts'
import type { FetchLimits, PlannedFetch } from '#policy/budget/scheduler.ts'
import {
  keptForSecondLooks,
  type SecondLooks,
  withSecondLooks,
} from '#policy/budget/second-looks.ts'
import { someFacts } from '#policy/facts/facts.ts'
import type { Plan, Planner } from '#policy/planning/plan.ts'
import { namedFirst, withNamedFirst } from './named-first.ts'
import type { CycleRecord, FetchRequest, Ports } from './ports.ts'
import { planSeedsFirst } from './seeds-first.ts'
import { littleLeft } from './until-gain.ts'

/** A crawl as it stands: what is known, and what it waits for. */
export interface CrawlState extends Knowledge {
  /** Fetches sent and not yet answered. */
  readonly underWay: Map<number, Forecast>
}

/** How a crawl is to be run. */
export interface CrawlRules {
  /** Decides what to fetch next. */
  readonly policy: Planner
  /** Which copies must be fetched before anything else, by their ages alone. */
  readonly refresh?: Bidder
  /** Caps on one fetch list. */
  readonly perHost?: number
  readonly perDomain?: number
  /** Caps on the whole crawl. */
  readonly maxPerHost?: number
  readonly maxPerDomain?: number
  /** Stop when the next fetches are expected to gain less than this share of what has been gained. */
  readonly untilGain?: number
  readonly seed: number
}

/** A crawl at its beginning, or as it was left. */
export function crawlState(
  frontier: Frontier,
  snapshot: Omit<Snapshot, 'frontier'> = {},
): CrawlState {
  return { ...knowledge({ ...snapshot, frontier }), underWay: new Map() }
}

/** The next fetches, best first: what a cycle would fetch now. */
export function planCycle(
  state: CrawlState,
  rules: CrawlRules,
  { budget, affords = budget }: PlanBudget,
  now: number,
): Plan {
  // Only what is under way is waited for: planning is dear, and nothing affordable would be no price.
  if (budget <= 0) return { fetches: [] }
  const looks = secondLooks(state, now)
  const { frontier, underWay } = state
  const named = namedFirst(frontier, now, underWay, (url) => isFree(state, url, now))
  const limits = { budget, quotas: [...quotasOf(frontier, rules, budget), named.quota] }
  const forOthers = { ...limits, budget: budget - keptForSecondLooks(looks, budget, state.spent) }
  const seeds = frontier.unfetchedSeeds(now).filter((url) => isFree(state, url, now))
  const planned = planSeedsFirst(seeds, frontier.size, forOthers, (some) =>
    planByPolicy(state, rules, some, affords, now),
  )
  const plan = withNamedFirst(planned, named, forOthers, frontier)
  return { ...plan, fetches: withSecondLooks(plan.fetches, looks, limits) }
}

/** Whether nothing is under way for the URL, and its host is not left alone. */
function isFree({ underWay, resting }: CrawlState, url: number, now: number): boolean {
  return !underWay.has(url) && !resting.has(url, now)
}

function planByPolicy(
  state: CrawlState,
  { policy, refresh, seed }: CrawlRules,
  limits: FetchLimits,
  affords: number,
  now: number,
): Plan {
  const { frontier } = state
  const isUnderWay = (url: number) => !isFree(state, url, now)
  const candidates = frontier.unfetched(now).filter((url) => !isUnderWay(url))
  const aged = () => someFacts(frontier.refreshFacts(now, (url) => !isUnderWay(url)))
  const otherBids = refresh ? [refresh.bids(aged())] : []
  return policy.plan({ now, seed, candidates, isUnderWay, limits, affords, otherBids })
}

function secondLooks(state: CrawlState, now: number): SecondLooks {
  const { frontier } = state
  return {
    urls: frontier.secondLooks(now).filter((url) => isFree(state, url, now)),
    linksTo: (url) => frontier.inLinksOf(url),
    why: (url) => `a second look: it was ${frontier.stateOf(url)} last time`,
  }
}

function quotasOf(frontier: Frontier, rules: CrawlRules, budget: number): FetchQuota[] {
  const hosts = frontier.urls.hosts()
  const domains = frontier.urls.domains()
  const { byHost, byDomain } = frontier.visited()
  // Caps on the whole crawl, and the throttle on traps, are for new pages: a copy counts already.
  const isExempt = (url: number) => frontier.lastVisitOf(url) > 0
  const quotas: FetchQuota[] = []
  if (rules.perHost !== undefined) quotas.push({ groups: hosts, most: rules.perHost })
  if (rules.perDomain !== undefined) quotas.push({ groups: domains, most: rules.perDomain })
  if (rules.maxPerHost !== undefined)
    quotas.push({ ...roomLeft(hosts, rules.maxPerHost, byHost), isExempt })
  if (rules.maxPerDomain !== undefined)
    quotas.push({ ...roomLeft(domains, rules.maxPerDomain, byDomain), isExempt })
  const barren = frontier.patterns.quota()
  if (barren) quotas.push({ ...barren, isExempt })
  const newHosts = lineageQuota(frontier, budget)
  if (newHosts) quotas.push(newHosts)
  return quotas
}

/** What each group may still have of a cap on the whole crawl. */
function roomLeft(groups: Uint32Array, most: number, visited: Uint32Array): FetchQuota {
  const left = new Float64Array(boundOf(groups)).fill(most)
  visited.forEach((count, group) => {
    left[group] = Math.max(0, most - count)
  })
  return { groups, most: left }
}

/** One turn of the wheel: decide, fetch, keep, learn. Spends at most the budget. */
export async function runCycle(
  state: CrawlState,
  rules: CrawlRules,
  ports: Ports,
  budget: PlanBudget,
  signal: AbortSignal,
  onOutcome: (outcome: FetchOutcome) => void = () => {},
): Promise<CycleRecord> {
  const { underWay, frontier } = state
  const { fetcher, repository, clock } = ports
  const cycle = state.cycle + 1
  const startedAt = clock.now()
  if (budget.budget > 0) await prepareToPlan(state, rules, ports, startedAt)
  const { requests, expected, price, left } = decide(state, rules, budget, startedAt)
  const plan: PlanEntry = {
    ...{ kind: 'plan', cycle, at: startedAt, ...budget, price },
    underWay: [...underWay.keys()],
    urls: requests.map(({ id }) => id),
  }
  if (requests.length > 0) await repository.beginCycle?.(plan)
  apply(plan, state)
  requests.forEach(({ id }, i) => {
    underWay.set(id, expected[i])
  })
  const forecasts = new Map(underWay)
  for await (const { exchange, robots, ...received } of fetcher.fetchAll(requests, signal)) {
    const outcome = readAsSitemapOnly(received, frontier, state.scope)
    const entry = { ...forecasts.get(outcome.id)!, outcome }
    // Durable first, then counted: a crash in between repeats nothing.
    const warc = await repository.journal({ cycle, ...entry }, exchange, robots)
    underWay.delete(outcome.id)
    apply({ kind: 'fetch', ...entry, warc }, state)
    onOutcome(outcome)
  }
  forgetUnsent(underWay, fetcher.inFlight())
  const learnt = apply({ kind: 'end', cycle, at: clock.now() }, state)
  const decided = { planned: requests.length, price, plan, ...(left && { left }) }
  const record = { cycle, startedAt, endedAt: clock.now(), ...decided, ...learnt }
  await repository.commit(record, frontier)
  return record
}

/** Takes in what searchers have asked meanwhile, and lets the planner make itself ready. */
async function prepareToPlan(
  state: Knowledge,
  { policy }: CrawlRules,
  { searches }: Pick<Ports, 'searches'>,
  at: number,
): Promise<void> {
  const queries = await searches?.(at)
  if (queries) apply({ kind: 'searches', at, queries }, state)
  if (queries) policy.setQueries?.(queries)
  await policy.renew()
}

/**
 * What a cycle fetches, and what is to be remembered of each fetch. Nothing here leads back to the bids: with
 * all they were made from, they are too large to be held while a cycle waits for answers.
 */
function decide(state: CrawlState, rules: CrawlRules, budget: PlanBudget, now: number) {
  const plan = planCycle(state, rules, budget, now)
  const left = leftAtEnd(plan, state, rules, budget)
  const fetches = left ? [] : plan.fetches
  return {
    // In the order of the plan, which is not always that of bids: seeds come first.
    requests: fetches.map(({ url }, i) => requestFor(state.frontier, url, fetches.length - i)),
    expected: fetches.map((fetch, i) => ({ ...forecastOf(fetch), ...plan.notes?.[i] })),
    price: plan.price,
    left,
  }
}

function forecastOf(fetch: PlannedFetch): Forecast {
  const { purpose, gain, expected, parts, probability } = fetch
  const drawn = probability === undefined ? {} : { probability }
  return { purpose, predictedGain: expected, bid: gain, parts, ...drawn }
}

/** What would be left to gain, if a crawl is to end where little is and this plan says so; else undefined. */
function leftAtEnd(
  plan: Plan,
  { gains }: CrawlState,
  { untilGain }: CrawlRules,
  { budget, affords = budget, ahead = budget }: PlanBudget,
) {
  if (untilGain === undefined) return undefined
  return littleLeft(plan, untilGain, gains, { ahead, affords })
}

function requestFor(frontier: Frontier, url: number, priority: number): FetchRequest {
  // Whether a duplicate is still one can only be seen by its text.
  const isDuplicate = frontier.duplicates.notedOriginal(url) !== undefined
  const validators = isDuplicate ? undefined : frontier.validators.of(url)
  return { id: url, url: frontier.urls.urlOf(url), priority, ...(validators && { validators }) }
}

/** What was planned and not sent will be planned again. */
function forgetUnsent(underWay: Map<number, unknown>, inFlight: readonly number[]): void {
  const sent = new Set(inFlight)
  for (const url of underWay.keys()) if (!sent.has(url)) underWay.delete(url)
}
