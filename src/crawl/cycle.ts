import type { Frontier } from '#frontier/frontier.ts'
import type { GraphFacts, RefreshFacts } from '#frontier/graph-facts.ts'
import type { ScopeTest } from '#frontier/scope.ts'
import type { Bids, Policy } from '#policy/bids.ts'
import type { FetchQuota } from '#policy/quota.ts'
import { type PlannedFetch, planFetches } from '#policy/scheduler.ts'
import type { GainMeter } from './gain-meter.ts'
import { inPlanOrder } from './in-plan-order.ts'
import type { PageIndexer } from './index-pages.ts'
import { type Learnt, learnFound, learnFrom } from './learn.ts'
import { costOf, type FetchOutcome } from './outcome.ts'
import type { CycleRecord, FetchRequest, JournalEntry, Ports, WarcPlace } from './ports.ts'
import type { QueryDriven } from './query-driven.ts'
import type { QueryTracker } from './track-queries.ts'

/** What the plan said of a fetch. */
type Forecast = Pick<JournalEntry, 'purpose' | 'predictedGain'>

/** A crawl as it stands: what is known, and what it has cost. */
export interface CrawlState {
  readonly frontier: Frontier
  /** Turns of the wheel so far. */
  cycle: number
  /** Fetches paid for so far, of all runs. */
  spent: number
  /** Bytes of bodies received so far, of all runs. */
  bytes: number
  /** Fetches sent and not yet answered. */
  readonly underWay: Map<number, Forecast>
  /** Keeps the index in step, if there is one. */
  indexer?: PageIndexer
  /** Watches what cycles do for queries, if there are any. */
  tracker?: QueryTracker
}

/** How a crawl is to be run. */
export interface CrawlRules {
  /** Which pages to fetch for the first time: by links alone, or by what searchers ask too. */
  readonly policy: Policy<GraphFacts> | QueryDriven
  /** Which copies to fetch again, if any. */
  readonly refresh?: Policy<RefreshFacts>
  readonly scope: ScopeTest
  /** Caps on one fetch list. */
  readonly perHost?: number
  readonly perDomain?: number
  /** Caps on the whole crawl. */
  readonly maxPerHost?: number
  readonly maxPerDomain?: number
  readonly seed: number
}

/** A crawl at its beginning, or as it was left. */
export function crawlState(
  frontier: Frontier,
  { cycle = 0, spent = 0, bytes = 0 }: Partial<Pick<CrawlState, 'cycle' | 'spent' | 'bytes'>> = {},
): CrawlState {
  return { frontier, cycle, spent, bytes, underWay: new Map() }
}

/** The next fetches, best first: what a cycle would fetch now. */
export function planCycle(
  { frontier, underWay }: CrawlState,
  rules: CrawlRules,
  budget: number,
  now: number,
): PlannedFetch[] {
  const bids: Bids[] = []
  if (rules.refresh) bids.push(rules.refresh(without(underWay, frontier.refreshFacts(now))))
  const candidates = frontier.unfetched(now).filter((url) => !underWay.has(url))
  bids.push(
    typeof rules.policy === 'function'
      ? rules.policy({ ...frontier.graphFacts(now, rules.seed), candidates })
      : rules.policy.bids({ now, seed: rules.seed, budget, candidates }),
  )
  return planFetches(bids, { budget, quotas: quotasOf(frontier, rules) })
}

function without(underWay: ReadonlyMap<number, unknown>, facts: RefreshFacts): RefreshFacts {
  const isFree = (_: number, i: number) => !underWay.has(facts.pages[i])
  return { pages: facts.pages.filter(isFree), ages: facts.ages.filter(isFree) }
}

function quotasOf(frontier: Frontier, rules: CrawlRules): FetchQuota[] {
  const hosts = frontier.urls.hosts()
  const domains = frontier.urls.domains()
  const { byHost, byDomain } = frontier.visited()
  const quotas: FetchQuota[] = []
  if (rules.perHost !== undefined) quotas.push({ groups: hosts, most: rules.perHost })
  if (rules.perDomain !== undefined) quotas.push({ groups: domains, most: rules.perDomain })
  if (rules.maxPerHost !== undefined) quotas.push(roomLeft(hosts, rules.maxPerHost, byHost))
  if (rules.maxPerDomain !== undefined) quotas.push(roomLeft(domains, rules.maxPerDomain, byDomain))
  const barren = frontier.patterns.quota()
  if (barren) quotas.push(barren)
  return quotas
}

/** What each group may still have of a cap on the whole crawl. */
function roomLeft(groups: Uint32Array, most: number, visited: Uint32Array): FetchQuota {
  const groupCount = groups.reduce((count, group) => Math.max(count, group + 1), 0)
  const left = new Float64Array(groupCount).fill(most)
  visited.forEach((count, group) => {
    left[group] = Math.max(0, most - count)
  })
  return { groups, most: left }
}

/** One turn of the wheel: decide, fetch, keep, learn. Spends at most `budget`. */
export async function runCycle(
  state: CrawlState,
  rules: CrawlRules,
  ports: Ports,
  budget: number,
  signal: AbortSignal,
  onOutcome: (outcome: FetchOutcome) => void = () => {},
): Promise<CycleRecord> {
  const { frontier, underWay } = state
  const { fetcher, repository, clock } = ports
  const cycle = state.cycle + 1
  const startedAt = clock.now()
  const carriedOver = [...underWay.keys()]
  if (typeof rules.policy !== 'function') await rules.policy.renew()
  const plan = planCycle(state, rules, budget, startedAt)
  for (const { url, purpose, gain } of plan) underWay.set(url, { purpose, predictedGain: gain })
  const forecasts = new Map(underWay)
  const places = new Map<number, WarcPlace | undefined>()

  /** Durable first, then counted: a crash in between repeats nothing. */
  async function* keep(outcomes: AsyncIterable<FetchOutcome>): AsyncGenerator<FetchOutcome> {
    for await (const { exchange, ...outcome } of outcomes) {
      const entry = { cycle, ...forecasts.get(outcome.id)!, outcome }
      places.set(outcome.id, await repository.journal(entry, exchange))
      underWay.delete(outcome.id)
      state.spent += costOf(outcome)
      state.bytes += 'bytes' in outcome ? outcome.bytes : 0
      onOutcome(outcome)
      yield outcome
    }
  }

  const requests = plan.map(({ url, gain }) => requestFor(frontier, url, gain))
  const order = [...carriedOver, ...plan.map(({ url }) => url)]
  const fetches = []
  for await (const outcome of inPlanOrder(order, keep(fetcher.fetchAll(requests, signal)))) {
    const { id } = outcome
    const learnt = learnFrom(outcome, frontier, rules.scope)
    fetches.push({ ...learnt, ...forecasts.get(id)!, warc: places.get(id) })
  }
  const outcomes = fetches.map(({ outcome }) => outcome)
  learnFound(outcomes, frontier, rules.scope)
  forgetUnsent(underWay, fetcher.inFlight())
  if (typeof rules.policy !== 'function') rules.policy.learn(outcomes.map(({ id }) => id))
  const meter = state.indexer && state.tracker?.meter
  const indexed = state.indexer?.take(fetches, frontier, meter)
  const progress = state.indexer && state.tracker?.progress(state.indexer.index)
  const learnt = { planned: plan.length, fetches: withGains(fetches, meter), indexed, progress }
  const record = { cycle, startedAt, endedAt: clock.now(), ...learnt }
  await repository.commit(record, frontier)
  state.cycle = cycle
  return record
}

/** Each fetch with what it was worth, if that was measured. */
export function withGains<F extends Learnt>(
  fetches: readonly F[],
  meter: GainMeter | undefined,
): (F & { realisedGain?: number })[] {
  return fetches.map((fetch) => ({
    ...fetch,
    ...(meter && { realisedGain: meter.gainOf(fetch.outcome.id) }),
  }))
}

function requestFor(frontier: Frontier, url: number, priority: number): FetchRequest {
  const validators = frontier.validators.of(url)
  return { id: url, url: frontier.urls.urlOf(url), priority, ...(validators && { validators }) }
}

/** What was planned and not sent will be planned again. */
function forgetUnsent(underWay: Map<number, unknown>, inFlight: readonly number[]): void {
  const sent = new Set(inFlight)
  for (const url of underWay.keys()) if (!sent.has(url)) underWay.delete(url)
}
