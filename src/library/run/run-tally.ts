import type { CrawlState } from '#crawl/plan-cycle.ts'
import type { CycleRecord } from '#crawl/ports.ts'
import type { LeftToGain } from '#crawl/until-gain.ts'
import type { FetchOutcome } from '#learn/entries/outcome.ts'
import type { Rest } from '#learn/resting-origins.ts'
import { type LinksLeftAlone, linksLeftAloneSince } from '../open/links-left-alone.ts'
import { Spending } from '../status/spending.ts'

/** Reasons kept for the end of a run. */
const REMEMBERED = 3

/** Counts what happens in one run of a crawl, as it happens. */
export class RunTally {
  /** Outcomes by kind. */
  readonly outcomes = new Map<string, number>()
  /** Of the failed ones: not sent, as their hosts were to be left alone. One URL may be put off many times. */
  putOff = 0
  /** The first few reasons why fetches failed. */
  readonly failures: string[] = []
  /** The first few addresses that we do not go to, and why. */
  readonly refusals: { readonly url: string; readonly reason: string }[] = []
  /** What fetches were for, and what the last one is worth. */
  readonly spending = new Spending()
  /** What is left to gain, if the last plan was not worth making. */
  left: LeftToGain | undefined
  /** The host that is waited for, if one is. */
  waitsFor: Rest | undefined
  readonly #state: CrawlState
  readonly #startedAt = performance.now()
  readonly #startedWith: number
  readonly #refusedBefore: NonNullable<CrawlState['scope']['refused']>
  #waiting: number | undefined

  constructor(state: CrawlState) {
    this.#state = state
    this.#startedWith = state.spent
    this.#refusedBefore = new Map(state.scope.refused)
  }

  get seconds(): number {
    return (performance.now() - this.#startedAt) / 1000
  }

  /** Fetches paid for in this run. */
  get fetchedNow(): number {
    return this.#state.spent - this.#startedWith
  }

  /** Known URLs that could still be fetched; counted once a cycle at most, as it takes a while. */
  get waiting(): number {
    this.#waiting ??= this.#state.frontier.unfetched(Number.POSITIVE_INFINITY).length
    return this.#waiting
  }

  /** What was left alone in this run. */
  get leftAlone(): LinksLeftAlone {
    return linksLeftAloneSince(this.#refusedBefore, this.#state.scope)
  }

  countOutcome(outcome: FetchOutcome): void {
    const { kind, url } = outcome
    this.outcomes.set(kind, (this.outcomes.get(kind) ?? 0) + 1)
    if (outcome.kind === 'forbidden' && this.refusals.length < REMEMBERED)
      this.refusals.push({ url, reason: outcome.reason })
    if (outcome.kind !== 'failed') return
    if (!outcome.sent && outcome.retryAfterSeconds !== undefined) this.putOff++
    if (this.failures.length < REMEMBERED) this.failures.push(`${url}: ${outcome.reason}`)
  }

  countCycle(record: CycleRecord): void {
    this.spending.take(record)
    this.left = record.left
    this.#waiting = undefined
  }
}
