import type { CycleRecord } from '#crawl/ports.ts'
import { garbageCollector } from '#fetch/bounds/garbage-collector.ts'
import { costOf, type FetchOutcome } from '#learn/entries/outcome.ts'
import type { Rest } from '#learn/resting-origins.ts'
import type { Crawl } from '#library/crawl.ts'
import type { RunListener, RunningCrawl } from '#library/run/run-crawl.ts'
import { RunTally } from '#library/run/run-tally.ts'
import { tasksOf } from '#library/status/spending.ts'
import { hostOf } from '#parse/url/canonical-url.ts'
import { asksForRest, CrawlMetrics } from '../../server/crawl-metrics.ts'
import type { MetricFamily } from '../../server/prometheus-text.ts'
import { Progress } from '../terminal/progress.ts'
import { waitingText } from '../words/resting-hosts.ts'
import { spendingWords } from '../words/spending-text.ts'
import type { CrawlLog } from './crawl-log.ts'

/**
 * Collects what a cycle held, pages above all, once it is committed: now is when least is in use. What threads that
 * fetch hold is theirs to collect.
 */
const collectGarbage: () => void = garbageCollector()

/** Sees everything that happens in a run, and tells the terminal, the log and Prometheus. */
export class CrawlReporter {
  readonly #crawl: Crawl
  readonly #log: CrawlLog
  readonly #metrics: CrawlMetrics
  readonly #progress: Progress
  /** Hosts whose trouble this cycle's log names already. */
  readonly #troubled = new Set<string>()
  #tally: RunTally
  /** When the last cycle ended, and so the plan of the next began. */
  #planningSince = performance.now()

  constructor(
    crawl: Crawl,
    log: CrawlLog,
    options: { budget?: number; maxTime?: number; shown: boolean },
  ) {
    const { state } = crawl.opened
    this.#crawl = crawl
    this.#log = log
    this.#tally = new RunTally(state)
    this.#metrics = new CrawlMetrics(Date.now() / 1000)
    const { budget = 0, shown, maxTime } = options
    this.#progress = new Progress('crawl', 'fetches', budget, shown, maxTime)
  }

  /** Watches a run from now on. */
  begin({ tally }: Pick<RunningCrawl, 'tally'>): void {
    this.#tally = tally
  }

  /** What a run is to tell. */
  readonly listener = {
    planned: () => this.#onPlanned(),
    outcome: (outcome) => this.#onOutcome(outcome),
    cycle: (record) => this.#onCycle(record),
    letGo: collectGarbage,
    wait: (rest) => this.#onWait(rest),
  } satisfies RunListener

  #onPlanned(): void {
    this.#metrics.countPlan((performance.now() - this.#planningSince) / 1000)
  }

  #onOutcome(outcome: FetchOutcome): void {
    this.#metrics.countOutcome(outcome)
    this.#log.write('debug', 'fetch', fieldsOf(outcome))
    if (outcome.kind === 'denied' || (outcome.kind === 'failed' && !outcome.brokenOff))
      this.#logTrouble(hostOf(outcome.url), outcome)
    if (costOf(outcome) === 0) return
    const { spent, frontier } = this.#crawl.opened.state
    const known = `${frontier.size.toLocaleString('en')} URLs known`
    this.#progress.update(spent, [known, ...spendingWords(this.#tally.spending)].join(', '))
  }

  #onCycle(record: CycleRecord): void {
    this.#metrics.countCycle(record)
    this.#planningSince = performance.now()
    this.#troubled.clear()
    const { spent, bytes, frontier, lessons, tracker } = this.#crawl.opened.state
    const { cycle, planned, fetches, startedAt, postedAt, endedAt, price, left } = record
    this.#log.write('info', 'cycle', {
      cycle,
      planned,
      fetched: fetches.length,
      seconds: endedAt - startedAt,
      planningSeconds: postedAt && postedAt - startedAt,
      spent,
      bytes,
      known: frontier.size,
      tasks: tasksOf(fetches),
      price,
      gained: tracker && lessons.gains.gain,
      left,
    })
  }

  #onWait(rest: Rest): void {
    this.showWait(true)
    const { host, until, urls, reason } = rest
    this.#log.write('info', 'waiting', { host, until, urls, reason })
  }

  /** Shows how long it still waits, if it does. */
  showWait(isNews = false): void {
    const { waitsFor } = this.#tally
    if (!waitsFor) return
    const text = waitingText(waitsFor, this.#crawl.now())
    this.#progress.wait(this.#crawl.opened.state.spent, text, isNews)
  }

  /** Takes the progress line away. */
  clear(): void {
    this.#progress.clear()
  }

  families(now: { budget?: number; inFlight: number; paused: boolean }): MetricFamily[] {
    const { spent, bytes, frontier, lessons } = this.#crawl.opened.state
    const { waiting, outcomes, spending } = this.#tally
    return this.#metrics.families({
      ...{ ...now, spent, bytes, known: frontier.size, gained: lessons.gains.gain },
      ...{ waiting, outcomes, tasks: spending.tasks, price: spending.price },
    })
  }

  /** One line a host and cycle: a dead host has many URLs to say the same about. */
  #logTrouble(host: string, outcome: FetchOutcome & { kind: 'failed' | 'denied' }): void {
    if (this.#troubled.has(host)) return
    this.#troubled.add(host)
    const { status, reason = `status ${status}` } = outcome
    const retryAfterSeconds = outcome.kind === 'failed' ? outcome.retryAfterSeconds : undefined
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
