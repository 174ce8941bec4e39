import type { Board, Clock, Fetcher, FetchRequest } from '#crawl/ports.ts'
import { EMPTY_BOARD } from '#crawl/ports.ts'
import type { FetchOutcome } from '#learn/entries/outcome.ts'

interface HandOutOptions {
  readonly clock: Clock
  /** Seconds between the report of a host's fetch and its next one. */
  readonly delaySeconds: number
  /** Requests of one host that may be out at the same time. */
  readonly perHost: number
  /** What was handed out and not reported after so many seconds has failed. */
  readonly leaseSeconds: number
}

/** A request that somebody has taken. */
interface Lease {
  readonly request: FetchRequest
  readonly host: string
  readonly until: number
}

/** What a taker wants. */
interface Wanted {
  /** Of this host only. */
  readonly host?: string
  /** Until then somebody else gets it; as the options say if left out. */
  readonly leaseSeconds?: number
}

/**
 * A fetcher whose requests others send: it hands them out, of each host the best first and politely, and takes reports of
 * what came. So a crawl plans and learns as ever, whoever fetches.
 */
export class HandOut implements Fetcher {
  readonly #options: HandOutOptions
  /** By host: what may be sent of it, best first. */
  #waiting = new Map<string, FetchRequest[]>()
  #sends = 0
  readonly #leases = new Map<number, Lease>()
  readonly #readyAt = new Map<string, number>()
  readonly #reported: FetchOutcome[] = []
  #news = Promise.withResolvers<void>()

  constructor(options: HandOutOptions) {
    this.#options = options
  }

  post({ requests, sends }: Board): void {
    this.#waiting = new Map()
    this.#sends = sends
    const open = new Set(this.inFlight())
    for (const request of [...requests].sort((a, b) => b.priority - a.priority)) {
      if (open.has(request.id)) continue
      const host = hostOf(request.url)
      const others = this.#waiting.get(host)
      if (others) others.push(request)
      else this.#waiting.set(host, [request])
    }
    this.#tell()
  }

  async next(
    until = Number.POSITIVE_INFINITY,
    untilSent?: number,
  ): Promise<FetchOutcome | undefined> {
    const { clock } = this.#options
    for (;;) {
      this.#endLeases()
      const outcome = this.#reported.shift()
      if (outcome) return outcome
      const mayCome = this.#leases.size > 0 || (this.#sends > 0 && this.#waiting.size > 0)
      const end = this.#sends > 0 ? until : Math.min(until, untilSent ?? until)
      if (!mayCome || clock.now() >= end) return undefined
      await this.#wait(Math.min(end, ...[...this.#leases.values()].map((lease) => lease.until)))
    }
  }

  inFlight(): number[] {
    return [...this.#leases.keys(), ...this.#reported.map(({ id }) => id)]
  }

  paceOf(): number {
    return this.#options.delaySeconds
  }

  async close(): Promise<void> {
    this.post(EMPTY_BOARD)
  }

  /** What is worth most of all hosts that are free now; undefined if there is none. */
  take({ host, leaseSeconds = this.#options.leaseSeconds }: Wanted = {}): FetchRequest | undefined {
    if (this.#sends <= 0) return undefined
    this.#endLeases()
    let best: { readonly host: string; readonly request: FetchRequest } | undefined
    for (const [name, [request]] of this.#waiting)
      if ((host === undefined || host === name) && this.#isFree(name))
        if (!best || request.priority > best.request.priority) best = { host: name, request }
    if (!best) return undefined
    const left = this.#waiting.get(best.host)!.slice(1)
    if (left.length > 0) this.#waiting.set(best.host, left)
    else this.#waiting.delete(best.host)
    this.#sends--
    const until = this.#options.clock.now() + leaseSeconds
    this.#leases.set(best.request.id, { ...best, until })
    return best.request
  }

  /** What came of a request that was handed out; whoever comes too late is not heard. */
  report(outcome: FetchOutcome): boolean {
    const lease = this.#leases.get(outcome.id)
    if (!lease) return false
    this.#leases.delete(outcome.id)
    this.rest(lease.host, this.#options.delaySeconds)
    this.#reported.push(outcome)
    this.#tell()
    return true
  }

  /** Leaves a host alone for so many seconds. */
  rest(host: string, seconds: number): void {
    const until = this.#options.clock.now() + seconds
    this.#readyAt.set(host, Math.max(until, this.#readyAt.get(host) ?? 0))
  }

  /** Whether somebody who asks now gets something. */
  hasFree(): boolean {
    return this.#sends > 0 && this.hosts().some((host) => this.#isFree(host))
  }

  /** Hosts with something to send, whether they are free or not. */
  hosts(): readonly string[] {
    return [...this.#waiting.keys()]
  }

  #isFree(host: string): boolean {
    const { clock, perHost } = this.#options
    if ((this.#readyAt.get(host) ?? 0) > clock.now()) return false
    let out = 0
    for (const lease of this.#leases.values()) if (lease.host === host) out++
    return out < perHost
  }

  #endLeases(): void {
    const now = this.#options.clock.now()
    for (const [id, { request, until }] of this.#leases)
      if (until <= now)
        this.report({
          ...{ kind: 'failed', id, url: request.url, at: now, ms: 0, sent: true },
          reason: 'nobody reported what came of it',
        })
  }

  /** Until something happens, or a time comes. */
  async #wait(until: number): Promise<void> {
    const over = new AbortController()
    const { clock } = this.#options
    const time =
      until === Number.POSITIVE_INFINITY
        ? new Promise<void>(() => {})
        : clock.waitUntil?.(until, over.signal)
    await Promise.race([this.#news.promise, time])
    over.abort()
  }

  #tell(): void {
    this.#news.resolve()
    this.#news = Promise.withResolvers()
  }
}

function hostOf(url: string): string {
  return new URL(url).host
}
