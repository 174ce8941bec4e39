import type { Frontier } from '#frontier/frontier.ts'
import type { FetchOutcome } from './outcome.ts'

/**
 * Origins that are left alone for a while, as the fetcher said when it put off one of their URLs. Without them,
 * a dead host would need a plan for every few of its URLs, only to hear the same of each.
 */
export class RestingOrigins {
  readonly #frontier: Frontier
  /** By host: when it may be asked again, without TLS and with it; 0 if nothing was said. */
  readonly #until = new Map<number, [plain: number, secure: number]>()

  constructor(frontier: Frontier) {
    this.#frontier = frontier
  }

  /** Notes what was said of a fetch that was not sent. */
  learn(outcome: FetchOutcome): void {
    if (outcome.kind !== 'failed' || outcome.sent) return
    const { id, at, retryAfterSeconds = 0 } = outcome
    if (retryAfterSeconds === 0) return
    const host = this.#frontier.urls.hostNumberOf(id)
    const until = this.#until.get(host) ?? [0, 0]
    until[this.#place(id)] = at + retryAfterSeconds
    this.#until.set(host, until)
  }

  /** Whether a URL's origin is left alone now. */
  has(url: number, now: number): boolean {
    if (this.#until.size === 0) return false
    const until = this.#until.get(this.#frontier.urls.hostNumberOf(url))
    return until !== undefined && until[this.#place(url)] > now
  }

  #place(url: number): 0 | 1 {
    return this.#frontier.urls.urlOf(url).startsWith('https:') ? 1 : 0
  }
}
