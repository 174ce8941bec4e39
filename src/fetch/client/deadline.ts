/** Timers take no longer time than this. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1

/** When all fetching must be over. It can be moved closer, and tells those who wait that it has come. */
export class Deadline {
  readonly #now: () => number
  readonly #passed = new AbortController()
  #at: number
  #timer: NodeJS.Timeout | undefined

  /** Both in seconds on the same clock, which must not run backwards. */
  constructor(now: () => number, at = Number.POSITIVE_INFINITY) {
    this.#now = now
    this.#at = at
    this.#wind()
  }

  /** Aborts when the time has come. */
  get signal(): AbortSignal {
    return this.#passed.signal
  }

  get msLeft(): number {
    return 1000 * (this.#at - this.#now())
  }

  get isPassed(): boolean {
    return this.#passed.signal.aborted || this.msLeft <= 0
  }

  /** From now on there is no more time than this. */
  leave(seconds: number): void {
    this.#at = Math.min(this.#at, this.#now() + seconds)
    this.#wind()
  }

  /** Nobody is told any more. */
  cancel(): void {
    clearTimeout(this.#timer)
  }

  #wind(): void {
    clearTimeout(this.#timer)
    if (this.#at === Number.POSITIVE_INFINITY) return
    const ring = () => (this.msLeft <= 0 ? this.#passed.abort() : this.#wind())
    const ms = Math.min(Math.max(Math.ceil(this.msLeft), 0), LONGEST_TIMER_MS)
    this.#timer = setTimeout(ring, ms).unref()
  }
}
