import type { CrawlEnd, Pace } from '#crawl/crawl.ts'
import { Allowance, type Rate, type Sent } from '#crawl/pace/allowance.ts'
import type { Clock } from '#crawl/ports.ts'
import type { ServiceWait } from '../control/progress-file.ts'

interface PaceOptions {
  readonly rate: Rate
  readonly clock: Clock
  /** Fetches paid for so far, in all. */
  readonly spent: () => number
  /** When quiet hours end that hold for all hosts; 0 if none do. */
  readonly quietUntil: (now: number) => number
  /** When something will be due, if nothing is now. */
  readonly nextDue: (now: number) => number
  /** Aborts when searches have come, or a file has changed. */
  readonly news: () => AbortSignal
  readonly onWait?: (wait: ServiceWait) => void
}

/**
 * Prices are made as if a budget were spent every week: much is tried while it lasts, and at its end what is best. A
 * price that is always for a whole week would be too low, as what comes up meanwhile is better than the last of today.
 */
const PRICED_DAYS = 7
/** Who found nothing to do looks again after this at the earliest, and at the latest. */
const LEAST_WAIT_SECONDS = 60
const LONGEST_WAIT_SECONDS = 3_600

const WHY: Partial<Record<CrawlEnd, ServiceWait['why']>> = {
  'budget spent': 'rate',
  'nothing left to fetch': 'nothing to fetch',
  'little left to gain': 'little to gain',
}

/** What a service may send, and what it waits for. */
export interface ServiceRate {
  /** What may still be sent of the fetches of these 24 hours. */
  leftInDay(): number
  /** Undefined while it has something to do. */
  readonly waits: ServiceWait | undefined
}

/** A rate with quiet hours: what may be sent, and what is waited for when that is nothing. */
export class ServicePace implements Pace, ServiceRate {
  readonly #options: PaceOptions
  readonly #allowance: Allowance
  #spent: number
  #waits: ServiceWait | undefined

  /** `before` has the fetches of the last 24 hours. */
  constructor(options: PaceOptions, before: readonly Sent[]) {
    const { rate, clock } = options
    this.#options = options
    this.#spent = options.spent()
    this.#allowance = new Allowance(rate, clock.now(), before)
  }

  /** What is left of the week. */
  get affords(): number {
    const week = PRICED_DAYS * this.#options.rate.fetchesADay
    return week - (this.#spent % week)
  }

  get waits(): ServiceWait | undefined {
    return this.#waits
  }

  leftInDay(): number {
    const { clock, spent } = this.#options
    const uncharged = spent() - this.#spent
    return Math.max(0, this.#allowance.leftInDay(clock.now()) - uncharged)
  }

  budget(spent: number): number {
    const { clock, quietUntil } = this.#options
    const now = clock.now()
    this.#allowance.charge(now, spent - this.#spent)
    this.#spent = spent
    if (quietUntil(now) > now) return spent
    return spent + this.#allowance.grant(now)
  }

  async wait(end: CrawlEnd, signal: AbortSignal): Promise<boolean> {
    const { clock, news, onWait } = this.#options
    const why = WHY[end]
    if (why === undefined || !clock.waitUntil) return false
    const waits = this.#waitFor(why, clock.now())
    // More cannot be sent for a search: it is taken in when the next fetches are planned.
    const wakes = waits.why === why && why !== 'rate' ? [signal, news()] : [signal]
    this.#waits = waits
    onWait?.(waits)
    await clock.waitUntil(waits.until, AbortSignal.any(wakes))
    this.#waits = undefined
    return true
  }

  #waitFor(why: ServiceWait['why'], now: number): ServiceWait {
    const { nextDue, quietUntil } = this.#options
    const quiet = quietUntil(now)
    if (quiet > now) return { why: 'quiet hours', until: quiet }
    if (why === 'rate') return { why, until: this.#allowance.grantAt(now) }
    const due = Math.min(nextDue(now), now + LONGEST_WAIT_SECONDS)
    return { why, until: Math.max(due, now + LEAST_WAIT_SECONDS) }
  }
}
