import type { CycleRecord } from '#crawl/ports.ts'
import type { FleetStatus } from '#fetch/fleet/fleet-status.ts'
import { costOf, type FetchOutcome, OUTCOME_KINDS } from '#learn/entries/outcome.ts'
import type { ServiceRate } from '#library/service/service-pace.ts'
import type { Settings } from '#library/settings/settings.ts'
import type { Tasks } from '#library/status/spending.ts'
import { Histogram, type MetricFamily, type Sample } from './prometheus-text.ts'

/** What a crawl can say of itself at any moment. */
interface CrawlGauges {
  /** Left out where there is none, but a rate. */
  readonly budget?: number
  readonly spent: number
  readonly bytes: number
  readonly gained: number
  readonly known: number
  readonly waiting: number
  readonly inFlight: number
  readonly paused: boolean
  /** Of this run: outcomes by kind, fetches by what they were for when the last cycle ended, and the price then. */
  readonly outcomes: ReadonlyMap<string, number>
  readonly tasks: Tasks
  readonly price?: number
}

const FETCH_SECONDS = [0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 60]

/** Every metric: its type, and what it says. */
const METRICS = {
  forager_fetches_total: ['counter', 'Fetches of this run by outcome.'],
  forager_task_fetches_total: [
    'counter',
    'Fetches paid for in this run by what they were for, when the last cycle ended.',
  ],
  forager_random_fetches_total: ['counter', 'Those of them that were sampled at random.'],
  forager_price_quality_days: [
    'gauge',
    'What the last fetch that the budget affords is worth; none where bids share no currency.',
  ],
  forager_gained_quality: [
    'gauge',
    'Quality that fetches gained so far, as far as it was measured, earlier runs included.',
  ],
  forager_received_bytes_total: ['counter', 'Body bytes received in this run.'],
  forager_fetch_seconds: ['histogram', 'How long answers took.'],
  forager_host_backoffs_total: ['counter', 'Answers that asked for rest (429, 503, Retry-After).'],
  forager_cycles_total: ['counter', 'Turns of the wheel in this run.'],
  forager_cycle_seconds: ['gauge', 'How long the last cycle took.'],
  forager_plan_seconds: ['gauge', 'How long the last plan took.'],
  forager_budget_fetches: ['gauge', 'Fetches the crawl may cost in all.'],
  forager_spent_fetches: ['gauge', 'Fetches it has cost so far, earlier runs included.'],
  forager_spent_bytes: ['gauge', 'Body bytes received so far, earlier runs included.'],
  forager_known_urls: ['gauge', 'URLs known.'],
  forager_waiting_urls: ['gauge', 'URLs known and not fetched yet, when the last cycle ended.'],
  forager_in_flight: ['gauge', 'Requests sent and not answered.'],
  forager_paused: ['gauge', '1 while the crawl is paused.'],
  forager_start_time_seconds: ['gauge', 'When this run began; seconds since 1970.'],
  process_resident_memory_bytes: ['gauge', 'Memory of the process.'],
  process_cpu_seconds_total: ['counter', 'CPU time of the process.'],
} as const

/** Counts what a run of a crawl does not count itself. */
export class CrawlMetrics {
  readonly #seconds = new Histogram(FETCH_SECONDS)
  readonly #startedAt: number
  #bytes = 0
  #backoffs = 0
  #cycles = 0
  #cycleSeconds = 0
  #planSeconds = 0
  #random = 0

  constructor(startedAt: number) {
    this.#startedAt = startedAt
  }

  countOutcome(outcome: FetchOutcome): void {
    if ('bytes' in outcome) this.#bytes += outcome.bytes
    if (costOf(outcome) > 0) this.#seconds.add(outcome.ms / 1000)
    if (asksForRest(outcome)) this.#backoffs++
  }

  countPlan(seconds: number): void {
    this.#planSeconds = seconds
  }

  countCycle({ startedAt, endedAt, fetches }: CycleRecord): void {
    for (const { outcome, probability } of fetches)
      if (probability !== undefined) this.#random += costOf(outcome)
    this.#cycles++
    this.#cycleSeconds = endedAt - startedAt
  }

  families(now: CrawlGauges): MetricFamily[] {
    const { user, system } = process.cpuUsage()
    const outcomes = new Map(OUTCOME_KINDS.map((kind) => [kind, now.outcomes.get(kind) ?? 0]))
    const values: Record<keyof typeof METRICS, number | readonly Sample[]> = {
      forager_fetches_total: samplesBy('outcome', outcomes),
      forager_task_fetches_total: samplesBy('task', new Map(Object.entries(now.tasks))),
      forager_random_fetches_total: this.#random,
      forager_price_quality_days: now.price ?? [],
      forager_gained_quality: now.gained,
      forager_received_bytes_total: this.#bytes,
      forager_fetch_seconds: this.#seconds.samples(),
      forager_host_backoffs_total: this.#backoffs,
      forager_cycles_total: this.#cycles,
      forager_cycle_seconds: this.#cycleSeconds,
      forager_plan_seconds: this.#planSeconds,
      forager_budget_fetches: now.budget ?? [],
      forager_spent_fetches: now.spent,
      forager_spent_bytes: now.bytes,
      forager_known_urls: now.known,
      forager_waiting_urls: now.waiting,
      forager_in_flight: now.inFlight,
      forager_paused: now.paused ? 1 : 0,
      forager_start_time_seconds: this.#startedAt,
      process_resident_memory_bytes: process.memoryUsage.rss(),
      process_cpu_seconds_total: user / 1e6 + system / 1e6,
    }
    return familiesOf(METRICS, values)
  }
}

const SERVICE_METRICS = {
  forager_rate_fetches_a_day: ['gauge', 'Fetches that the service may send in any 24 hours.'],
  forager_rate_left_fetches: ['gauge', 'What may still be sent of those of the last 24 hours.'],
  forager_idle: ['gauge', '1 while the service has nothing to do, by what it waits for.'],
  forager_idle_until_seconds: ['gauge', 'When it goes on, if it waits; seconds since 1970.'],
} as const

/** What a service says of itself beside that. */
export function serviceFamilies(
  { fetchesADay }: Pick<Settings, 'fetchesADay'>,
  pace: ServiceRate,
): MetricFamily[] {
  const { waits } = pace
  return familiesOf(SERVICE_METRICS, {
    forager_rate_fetches_a_day: fetchesADay,
    forager_rate_left_fetches: pace.leftInDay(),
    forager_idle: waits ? [{ labels: { for: waits.why }, value: 1 }] : 0,
    forager_idle_until_seconds: waits ? waits.until : [],
  })
}

const FLEET_METRICS = {
  forager_fleet_workers: ['gauge', 'Workers that were heard of lately, and those that were lost.'],
  forager_fleet_leases: ['gauge', 'Batches that workers have.'],
  forager_fleet_lease_seconds: ['gauge', 'How long the lease that is nearest to its end lasts.'],
  forager_fleet_silent_seconds: ['gauge', 'How long the quietest of them has said nothing.'],
  forager_fleet_segment_lag: ['gauge', 'Segments that were stored and not read.'],
  forager_fleet_escrow_fetches: ['gauge', 'Fetches that are promised to batches.'],
  forager_fleet_lost_fetches: ['gauge', 'Fetches paid for of which nobody knows what came.'],
} as const

/** What a crawl with workers elsewhere says of them. */
export function fleetFamilies({
  workers,
  leases,
  ledger,
  lag = 0,
  shortestSeconds,
}: FleetStatus): MetricFamily[] {
  const here = workers.filter(({ isLost }) => !isLost)
  const counts = new Map([
    ['here', here.length],
    ['lost', workers.length - here.length],
  ])
  return familiesOf(FLEET_METRICS, {
    forager_fleet_workers: samplesBy('state', counts),
    forager_fleet_leases: leases,
    forager_fleet_lease_seconds: shortestSeconds ?? [],
    forager_fleet_silent_seconds: Math.max(0, ...here.map(({ silentSeconds }) => silentSeconds)),
    forager_fleet_segment_lag: lag,
    forager_fleet_escrow_fetches: ledger.escrow,
    forager_fleet_lost_fetches: ledger.lost,
  })
}

function familiesOf<Name extends string>(
  metrics: Readonly<Record<Name, readonly [type: MetricFamily['type'], help: string]>>,
  values: Readonly<Record<Name, number | readonly Sample[]>>,
): MetricFamily[] {
  return (Object.keys(metrics) as Name[]).map((name) => {
    const [type, help] = metrics[name]
    const value: number | readonly Sample[] = values[name]
    return { name, help, type, samples: typeof value === 'number' ? [{ value }] : value }
  })
}

/** The server is overloaded, or says when to come back. */
export function asksForRest(outcome: FetchOutcome): boolean {
  if (outcome.kind !== 'failed') return false
  return outcome.retryAfterSeconds !== undefined || outcome.status === 429 || outcome.status === 503
}

function samplesBy(label: string, counts: ReadonlyMap<string, number>): Sample[] {
  return [...counts].map(([name, value]) => ({ labels: { [label]: name }, value }))
}
