import type { CrawlState } from '#crawl/cycle.ts'
import type { CycleRecord } from '#crawl/ports.ts'
import type { LeftToGain } from '#crawl/until-gain.ts'
import { costOf, type FetchOutcome } from '#learn/entries/outcome.ts'
import type { Rest } from '#learn/resting-origins.ts'
import { Spending, tasksOf } from '#library/run/spending.ts'
import { hostOf } from '#parse/url/canonical-url.ts'
import { asksForRest, CrawlMetrics } from '../../server/crawl-metrics.ts'
import type { MetricFamily } from '../../server/prometheus-text.ts'
import { Progress } from '../terminal/progress.ts'
import { refusedAddressText } from '../words/refused-address.ts'
import { waitingText } from '../words/resting-hosts.ts'
import { spendingWords } from '../words/spending-text.ts'
import type { CrawlLog } from './crawl-log.ts'

/** Reasons shown when a crawl has ended. */
const REMEMBERED_FAILURES = 3

/** Sees everything that happens in a run, and tells the terminal, the log and Prometheus. */
export class CrawlWitness {
  /** Outcomes by kind. */
  readonly tally = new Map<string, number>()
  /** Of the failed ones: not sent, as their hosts were to be left alone. One URL may be put off many times. */
  putOff = 0
  readonly failures: string[] = []
  /** Addresses that we do not go to, and the flags that would change that. */
  readonly refusals: string[] = []
  /** What fetches were for, and what the last one is worth. */
  readonly spending = new Spending()
  readonly #state: CrawlState
  readonly #log: CrawlLog
  readonly #metrics: CrawlMetrics
  readonly #progress: Progress
  readonly #now: () => number
  readonly #startedAt = performance.now()
  readonly #startedWith: number
  /** Hosts whose trouble this cycle's log names already. */
  readonly #troubled = new Set<string>()
  /** When the last cycle ended, and so the plan of the next began. */
  #planningSince = performance.now()
  #waiting: number | undefined
  #left: LeftToGain | undefined
  #waitsFor: Rest | undefined

  constructor(
    state: CrawlState,
    log: CrawlLog,
    options: { budget: number; shown: boolean; now: () => number },
  ) {
    this.#now = options.now
    this.#state = state
    this.#log = log
    this.#startedWith = state.spent
    this.#metrics = new CrawlMetrics(Date.now() / 1000)
    this.#progress = new Progress('crawl', 'fetches', options.budget, state.spent, options.shown)
  }

  get seconds(): number {
    return (performance.now() - this.#startedAt) / 1000
  }

  get fetchedNow(): number {
    return this.#state.spent - this.#startedWith
  }

  /** What is left to gain, if the last plan was not worth making. */
  get left(): LeftToGain | undefined {
    return this.#left
  }

  /** Known URLs that could still be fetched; counted once a cycle at most, as it takes a while. */
  get waiting(): number {
    this.#waiting ??= this.#state.frontier.unfetched(Number.POSITIVE_INFINITY).length
    return this.#waiting
  }

  /** The host that is waited for, if one is. */
  get waitsFor(): Rest | undefined {
    return this.#waitsFor
  }

  onPlanned(): void {
    this.#waitsFor = undefined
    this.#metrics.countPlan((performance.now() - this.#planningSince) / 1000)
  }

  onOutcome(outcome: FetchOutcome): void {
    const { kind, url } = outcome
    this.tally.set(kind, (this.tally.get(kind) ?? 0) + 1)
    this.#metrics.countOutcome(outcome)
    this.#log.write('debug', 'fetch', fieldsOf(outcome))
    if (outcome.kind === 'forbidden' && this.refusals.length < REMEMBERED_FAILURES)
      this.refusals.push(refusedAddressText(url, outcome.reason))
    if (outcome.kind === 'failed') {
      if (!outcome.sent && outcome.retryAfterSeconds !== undefined) this.putOff++
      if (this.failures.length < REMEMBERED_FAILURES)
        this.failures.push(`${url}: ${outcome.reason}`)
      if (!outcome.brokenOff) this.#logTrouble(hostOf(url), outcome)
    }
    if (costOf(outcome) === 0) return
    const { spent, frontier } = this.#state
    const known = `${frontier.size.toLocaleString('en')} URLs known`
    this.#progress.update(spent, [known, ...spendingWords(this.spending)].join(', '))
  }

  onCycle(record: CycleRecord): void {
    this.#metrics.countCycle(record)
    this.spending.take(record)
    this.#left = record.left
    this.#planningSince = performance.now()
    this.#waiting = undefined
    this.#troubled.clear()
    const { spent, bytes, frontier, gains, tracker } = this.#state
    const { cycle, planned, fetches, startedAt, endedAt, price } = record
    this.#log.write('info', 'cycle', {
      cycle,
      planned,
      fetched: fetches.length,
      seconds: endedAt - startedAt,
      spent,
      bytes,
      known: frontier.size,
      tasks: tasksOf(fetches),
      ...(price !== undefined && { price }),
      ...(tracker && { gained: gains.all.gain }),
    })
  }

  onWait(rest: Rest): void {
    this.#waitsFor = rest
    this.showWait(true)
    const { host, until, urls, reason } = rest
    this.#log.write('info', 'waiting', { host, until, urls, reason })
  }

  /** Shows how long it still waits, if it does. */
  showWait(isNews = false): void {
    if (!this.#waitsFor) return
    const text = waitingText(this.#waitsFor, this.#now())
    this.#progress.wait(this.#state.spent, text, isNews)
  }

  /** Takes the progress line away. */
  clear(): void {
    this.#waitsFor = undefined
    this.#progress.clear()
  }

  families(now: { budget: number; inFlight: number; paused: boolean }): MetricFamily[] {
    const { spent, bytes, frontier, gains } = this.#state
    return this.#metrics.families({
      ...now,
      gained: gains.all.gain,
      spent,
      bytes,
      known: frontier.size,
      waiting: this.waiting,
    })
  }

  /** One line a host and cycle: a dead host has many URLs to say the same about. */
  #logTrouble(host: string, outcome: FetchOutcome & { kind: 'failed' }): void {
    if (this.#troubled.has(host)) return
    this.#troubled.add(host)
    const { reason, status, retryAfterSeconds } = outcome
    const event = asksForRest(outcome) ? 'host-backoff' : 'host-trouble'
    this.#log.write('warn', event, { host, reason, status, retryAfterSeconds })
  }
}

function fieldsOf(outcome: FetchOutcome): Record<string, unknown> {
  const { kind, url, ms } = outcome
  return {
    url,
    outcome: kind,
    ms: Math.round(ms),
    ...('status' in outcome && { status: outcome.status }),
    ...('bytes' in outcome && { bytes: outcome.bytes }),
    ...('reason' in outcome && { reason: outcome.reason }),
    ...('rule' in outcome && { rule: outcome.rule }),
    ...('target' in outcome && { target: outcome.target }),
    ...(outcome.kind === 'page' && { links: outcome.page.links.length }),
  }
}
