import { clientName } from './client-name.ts'

/** Most clients remembered; beyond that, the least recently seen are forgotten. */
const MOST_ADDRESSES = 10_000

/** A token bucket for each client: it holds `burst` requests and refills by `perSecond`. */
export class RateLimit {
  readonly #perSecond: number
  readonly #burst: number
  /** In the order of their last request. */
  readonly #buckets = new Map<string, { left: number; at: number }>()

  /** With `perSecond` 0 there is no limit. */
  constructor(perSecond: number, burst = 4 * perSecond) {
    this.#perSecond = perSecond
    this.#burst = Math.max(1, burst)
  }

  /** Seconds to wait before asking again; 0 if this request is fine. `nowMs` must never go back. */
  take(address: string, nowMs: number): number {
    if (this.#perSecond === 0) return 0
    const who = clientName(address)
    const before = this.#buckets.get(who) ?? { left: this.#burst, at: nowMs }
    const filled = before.left + ((nowMs - before.at) / 1000) * this.#perSecond
    const left = Math.min(this.#burst, filled)
    this.#buckets.delete(who)
    this.#buckets.set(who, { left: left < 1 ? left : left - 1, at: nowMs })
    if (this.#buckets.size > MOST_ADDRESSES)
      this.#buckets.delete(this.#buckets.keys().next().value!)
    return left < 1 ? Math.ceil((1 - left) / this.#perSecond) : 0
  }

  get size(): number {
    return this.#buckets.size
  }
}
