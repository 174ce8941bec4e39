import type { CycleRecord } from '#crawl/ports.ts'
import { costOf, type FetchOutcome, OUTCOME_KINDS } from '#learn/entries/outcome.ts'
import { PURPOSES, type Purpose } from '#policy/bids.ts'
import { Histogram } from './histogram.ts'
import type { MetricFamily } from './prometheus-text.ts'

/** What a crawl can say of itself at any moment. */
export interface CrawlGauges {
  readonly budget: number
  readonly spent: number
  readonly bytes: number
  readonly gained: number
  readonly known: number
  readonly waiting: number
  readonly inFlight: number
  readonly paused: boolean
}

const FETCH_SECONDS = [0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 60]

/** Counts what happens in one run of a crawl. */
export class CrawlMetrics {
  readonly #outcomes = new Map<string, number>(OUTCOME_KINDS.map((kind) => [kind, 0]))
  readonly #tasks = new Map<Purpose, number>(PURPOSES.map((purpose) => [purpose, 0]))
  readonly #seconds = new Histogram(FETCH_SECONDS)
  readonly #startedAt: number
  #bytes = 0
  #backoffs = 0
  #cycles = 0
  #cycleSeconds = 0
  #planSeconds = 0
  #random = 0
  #price: number | undefined

  constructor(startedAt: number) {
    this.#startedAt = startedAt
  }

  countOutcome(outcome: FetchOutcome): void {
    this.#outcomes.set(outcome.kind, (this.#outcomes.get(outcome.kind) ?? 0) + 1)
    if ('bytes' in outcome) this.#bytes += outcome.bytes
    if (costOf(outcome) > 0) this.#seconds.add(outcome.ms / 1000)
    if (asksForRest(outcome)) this.#backoffs++
  }

  countPlan(seconds: number): void {
    this.#planSeconds = seconds
  }

  countCycle({ startedAt, endedAt, fetches, price }: CycleRecord): void {
    for (const { purpose, outcome, probability } of fetches) {
      this.#tasks.set(purpose, this.#tasks.get(purpose)! + costOf(outcome))
      if (probability !== undefined) this.#random += costOf(outcome)
    }
    this.#price = price ?? this.#price
    this.#cycles++
    this.#cycleSeconds = endedAt - startedAt
  }

  families(now: CrawlGauges): MetricFamily[] {
    const outcomes = [...this.#outcomes].map(([outcome, value]) => ({ labels: { outcome }, value }))
    const tasks = [...this.#tasks].map(([task, value]) => ({ labels: { task }, value }))
    return [
      many('forager_fetches_total', 'Fetches of this run by outcome.', 'counter', outcomes),
      many(
        'forager_task_fetches_total',
        'Fetches paid for in this run by what they were for, when the last cycle ended.',
        'counter',
        tasks,
      ),
      one(
        'forager_random_fetches_total',
        'Those of them that were sampled at random.',
        'counter',
        this.#random,
      ),
      many(
        'forager_price_quality_days',
        'What the last fetch that the budget affords is worth; none where bids share no currency.',
        'gauge',
        this.#price === undefined ? [] : [{ value: this.#price }],
      ),
      one(
        'forager_gained_quality',
        'Quality that fetches gained so far, as far as it was measured, earlier runs included.',
        'gauge',
        now.gained,
      ),
      one(
        'forager_received_bytes_total',
        'Body bytes received in this run.',
        'counter',
        this.#bytes,
      ),
      many('forager_fetch_seconds', 'How long answers took.', 'histogram', this.#seconds.samples()),
      one(
        'forager_host_backoffs_total',
        'Answers that asked for rest (429, 503, Retry-After).',
        'counter',
        this.#backoffs,
      ),
      one('forager_cycles_total', 'Turns of the wheel in this run.', 'counter', this.#cycles),
      one('forager_cycle_seconds', 'How long the last cycle took.', 'gauge', this.#cycleSeconds),
      one('forager_plan_seconds', 'How long the last plan took.', 'gauge', this.#planSeconds),
      one('forager_budget_fetches', 'Fetches the crawl may cost in all.', 'gauge', now.budget),
      one(
        'forager_spent_fetches',
        'Fetches it has cost so far, earlier runs included.',
        'gauge',
        now.spent,
      ),
      one(
        'forager_spent_bytes',
        'Body bytes received so far, earlier runs included.',
        'gauge',
        now.bytes,
      ),
      one('forager_known_urls', 'URLs known.', 'gauge', now.known),
      one(
        'forager_waiting_urls',
        'URLs known and not fetched yet, when the last cycle ended.',
        'gauge',
        now.waiting,
      ),
      one('forager_in_flight', 'Requests sent and not answered.', 'gauge', now.inFlight),
      one('forager_paused', '1 while the crawl is paused.', 'gauge', now.paused ? 1 : 0),
      one(
        'forager_start_time_seconds',
        'When this run began; seconds since 1970.',
        'gauge',
        this.#startedAt,
      ),
      one(
        'process_resident_memory_bytes',
        'Memory of the process.',
        'gauge',
        process.memoryUsage.rss(),
      ),
      one(
        'process_cpu_seconds_total',
        'CPU time of the process.',
        'counter',
        process.cpuUsage().user / 1e6 + process.cpuUsage().system / 1e6,
      ),
    ]
  }
}

/** The server is overloaded, or says when to come back. */
export function asksForRest(outcome: FetchOutcome): boolean {
  if (outcome.kind !== 'failed') return false
  return outcome.retryAfterSeconds !== undefined || outcome.status === 429 || outcome.status === 503
}

function one(name: string, help: string, type: MetricFamily['type'], value: number): MetricFamily {
  return { name, help, type, samples: [{ value }] }
}

function many(
  name: string,
  help: string,
  type: MetricFamily['type'],
  samples: MetricFamily['samples'],
): MetricFamily {
  return { name, help, type, samples }
}
