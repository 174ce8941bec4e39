import type { FetchEntry } from './entries/fetch-entry.ts'
import type { LoggedFetch } from './entries/learnt-fetch.ts'

/**
 * The cycle under way. Its fetches are learnt in the order of the plan, each as soon as all before it have come;
 * what follows a gap waits until the cycle ends. So a crawl learns the same however the network delivers.
 */
export class OpenCycle {
  #order: readonly number[] = []
  #next = 0
  readonly #waiting = new Map<number, FetchEntry>()
  #learnt: LoggedFetch[] = []

  /** A plan was made; a cycle without one is learnt as its fetches came. */
  begin(order: readonly number[]): void {
    this.#order = order
    this.#next = 0
  }

  /** A fetch has come. */
  add(fetch: FetchEntry): void {
    this.#waiting.set(fetch.outcome.id, fetch)
  }

  /** Those whose turn it is. */
  *ready(): Generator<FetchEntry> {
    for (;;) {
      const fetch = this.#take(this.#order[this.#next])
      if (!fetch) return
      this.#next++
      yield fetch
    }
  }

  /** All others, when no more will come. */
  *rest(): Generator<FetchEntry> {
    for (const id of [...this.#order.slice(this.#next), ...this.#waiting.keys()]) {
      const fetch = this.#take(id)
      if (fetch) yield fetch
    }
    this.begin([])
  }

  note(fetch: LoggedFetch): void {
    this.#learnt.push(fetch)
  }

  /** What was learnt, in its order; the cycle has ended. */
  takeLearnt(): readonly LoggedFetch[] {
    const learnt = this.#learnt
    this.#learnt = []
    return learnt
  }

  #take(id: number): FetchEntry | undefined {
    const fetch = this.#waiting.get(id)
    this.#waiting.delete(id)
    return fetch
  }
}
