const DEPARTURES = 0
const LIMIT = 1
const MOST = 2 ** 31 - 1

/**
 * How much may be sent, by all workers together: a request is paid for before it is sent. The half that reads says how many
 * departures there may be in all, from the beginning, so it need not know how many there were by then.
 */
export class SendAllowance {
  /** Departures so far, and how many there may be; shared by all threads that send. */
  readonly #counts: Int32Array

  constructor(counts: Int32Array = new Int32Array(2)) {
    this.#counts = counts
  }

  get left(): number {
    return Atomics.load(this.#counts, LIMIT) - Atomics.load(this.#counts, DEPARTURES)
  }

  /** Pays for a request, which may cost more than others; false if too little is left to pay with. */
  take(cost = 1): boolean {
    for (;;) {
      const departures = Atomics.load(this.#counts, DEPARTURES)
      if (departures + cost > Atomics.load(this.#counts, LIMIT)) return false
      if (this.#exchange(departures, cost)) return true
    }
  }

  /** There may be so many departures in all. */
  allow(departures: number): void {
    Atomics.store(this.#counts, LIMIT, Math.min(departures, MOST))
  }

  #exchange(departures: number, cost: number): boolean {
    const after = departures + cost
    const before = Atomics.compareExchange(this.#counts, DEPARTURES, departures, after)
    return before === departures
  }
}
