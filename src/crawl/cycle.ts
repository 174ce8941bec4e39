import type { Frontier } from '#frontier/frontier.ts'
import type { GraphFacts } from '#frontier/graph-facts.ts'
import type { Policy } from '#policy/bids.ts'
import { type PlannedFetch, planFetches } from '#policy/scheduler.ts'
import { inPlanOrder } from './in-plan-order.ts'
import { learnFrom } from './learn.ts'
import { costOf, type FetchOutcome } from './outcome.ts'
import type { CycleRecord, Ports } from './ports.ts'

/** A crawl as it stands: what is known, and what it has cost. */
export interface CrawlState {
  readonly frontier: Frontier
  /** Turns of the wheel so far. */
  cycle: number
  /** Fetches paid for so far, of all runs. */
  spent: number
}

/** How a crawl is to be run. */
export interface CrawlRules {
  readonly policy: Policy<GraphFacts>
  readonly inScope: (url: string) => boolean
  readonly perHost?: number
  readonly perDomain?: number
  readonly seed: number
}

/** The next fetches, best first: what a cycle would fetch now. */
export function planCycle(
  { frontier }: CrawlState,
  rules: CrawlRules,
  budget: number,
  now: number,
): PlannedFetch[] {
  const { perHost, perDomain } = rules
  const facts = frontier.graphFacts(now, rules.seed)
  const { urls } = frontier
  return planFetches([rules.policy(facts)], {
    budget,
    hosts: urls.hosts(),
    perHost,
    domains: urls.domains(),
    perDomain,
  })
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
  const { frontier } = state
  const { fetcher, repository, clock } = ports
  const cycle = state.cycle + 1
  const startedAt = clock.now()
  const plan = planCycle(state, rules, budget, startedAt)
  const planned = new Map(plan.map((fetch) => [fetch.url, fetch]))

  /** Durable first, then counted: a crash in between repeats nothing. */
  async function* keep(outcomes: AsyncIterable<FetchOutcome>): AsyncGenerator<FetchOutcome> {
    for await (const outcome of outcomes) {
      const { purpose, gain } = planned.get(outcome.id)!
      await repository.journal({ cycle, purpose, predictedGain: gain, outcome })
      state.spent += costOf(outcome)
      onOutcome(outcome)
      yield outcome
    }
  }

  const requests = plan.map(({ url, gain }) => ({
    id: url,
    url: frontier.urls.urlOf(url),
    priority: gain,
  }))
  const order = plan.map(({ url }) => url)
  const fetches = []
  for await (const outcome of inPlanOrder(order, keep(fetcher.fetchAll(requests, signal)))) {
    const { purpose, gain } = planned.get(outcome.id)!
    const learnt = learnFrom(outcome, frontier, rules.inScope)
    fetches.push({ ...learnt, purpose, predictedGain: gain })
  }
  const record = { cycle, startedAt, endedAt: clock.now(), planned: plan.length, fetches }
  await repository.commit(record, frontier)
  state.cycle = cycle
  return record
}
