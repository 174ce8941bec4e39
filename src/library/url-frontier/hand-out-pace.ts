import type { CrawlEnd, Pace } from '#crawl/crawl.ts'
import type { Clock } from '#crawl/ports.ts'

interface PaceOptions {
  readonly clock: Clock
  /** Fetches in all. */
  readonly budget: number
  /** When something will be due, if nothing is now. */
  readonly nextDue: (now: number) => number
}

/** Who has nothing to do looks again after this, at the earliest and at the latest. */
const LEAST_WAIT_SECONDS = 1
const LONGEST_WAIT_SECONDS = 3_600

/** A crawl that others fetch for goes on until its budget is spent: while there is nothing to do, it waits for news. */
export class HandOutPace implements Pace {
  readonly #options: PaceOptions
  #news = new AbortController()

  constructor(options: PaceOptions) {
    this.#options = options
  }

  budget(): number {
    return this.#options.budget
  }

  /** Whether it has nothing to do. */
  isWaiting = false

  /** Something was told. */
  wake(): void {
    this.#news.abort()
  }

  async wait(end: CrawlEnd, signal: AbortSignal): Promise<boolean> {
    const { clock, nextDue } = this.#options
    if (end !== 'nothing left to fetch' && end !== 'little left to gain') return false
    const now = clock.now()
    const due = Math.min(nextDue(now), now + LONGEST_WAIT_SECONDS)
    const until = Math.max(due, now + LEAST_WAIT_SECONDS)
    this.isWaiting = true
    await clock.waitUntil?.(until, AbortSignal.any([signal, this.#news.signal]))
    this.isWaiting = false
    if (this.#news.signal.aborted) this.#news = new AbortController()
    return true
  }
}
