import type { Visit } from './host-manners.ts'

/** A request that has been under way for so long is a slow one. */
const SLOW_SECONDS = 0.5
/** Slow ones keep no others waiting, up to so many times as many as may be under way at once. */
const MOST_SLOW = 3

/**
 * Requests under way. Hosts that do not answer could hold every place for a minute: so requests that have become slow
 * are counted apart, up to a limit of their own.
 */
export class OpenVisits {
  /** When each was sent, in that order. */
  readonly #quick = new Map<Visit, number>()
  readonly #slow = new Set<Visit>()

  get size(): number {
    return this.#quick.size + this.#slow.size
  }

  add(visit: Visit, now: number): void {
    this.#quick.set(visit, now)
  }

  delete(visit: Visit): void {
    if (!this.#quick.delete(visit)) this.#slow.delete(visit)
  }

  /** Whether one more may be sent, where so many are to be under way at once. */
  hasRoom(concurrency: number, now: number): boolean {
    for (const [visit, since] of this.#quick) {
      if (now - since < SLOW_SECONDS || this.#slow.size >= MOST_SLOW * concurrency) break
      this.#quick.delete(visit)
      this.#slow.add(visit)
    }
    return this.#quick.size < concurrency
  }

  /** In how many seconds the oldest of the others becomes slow; undefined if none can. */
  slowIn(concurrency: number, now: number): number | undefined {
    const [oldest] = this.#quick.values()
    if (oldest === undefined || this.#slow.size >= MOST_SLOW * concurrency) return undefined
    return Math.max(0, oldest + SLOW_SECONDS - now)
  }
}
