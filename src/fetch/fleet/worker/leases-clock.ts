import type { Leases } from '#crawl/leases/leases.ts'

/** How often it is compared with the leases' own, and how many times then: the quickest answer tells best. */
const COMPARE_SECONDS = 120
const SAMPLES = 4
/** One answer is enough that may be wrong by no more, and agrees with what is known. */
const QUICK_SECONDS = 0.05

/** The clock that all of a fleet go by, as far as a worker knows. */
export class LeasesClock {
  readonly #now: () => number
  /** What it said when ours stood at 0. */
  #zero: number | undefined
  #setAt = Number.NEGATIVE_INFINITY
  /** By so many seconds it may be wrong. */
  error = 0

  constructor(now: () => number) {
    this.#now = now
  }

  now(): number {
    return this.#zero! + this.#now()
  }

  /** Compares clocks if that is due. False while nothing is known. */
  async set(
    ask: (what: (leases: Leases) => Promise<number>) => Promise<number | undefined>,
  ): Promise<boolean> {
    if (this.#now() - this.#setAt < COMPARE_SECONDS) return true
    let error = Number.POSITIVE_INFINITY
    let zero = this.#zero
    for (let sample = 0; sample < SAMPLES; sample++) {
      const before = this.#now()
      const at = await ask((leases) => leases.now())
      if (at === undefined) return this.#zero !== undefined
      const took = this.#now() - before
      if (took / 2 >= error) continue
      error = took / 2
      zero = at - (before + took / 2)
      if (error < QUICK_SECONDS && this.#agrees(zero, error)) break
    }
    this.#setAt = this.#now()
    // A clock that jumps, if only by its error, cuts rests of hosts short: as long as both agree, it goes on as it was.
    if (this.#agrees(zero!, error)) return true
    this.#zero = zero
    this.error = error
    return true
  }

  #agrees(zero: number, error: number): boolean {
    return this.#zero !== undefined && Math.abs(zero - this.#zero) <= error + this.error
  }
}
