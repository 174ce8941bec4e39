import type { Board, Clock, Fetcher, FetchRequest } from '#crawl/ports.ts'
import { EMPTY_BOARD } from '#crawl/ports.ts'
import type { FetchOutcome } from '#learn/entries/outcome.ts'

export interface HandOutOptions {
  readonly clock: Clock
  /** Seconds between the report of a host's fetch and its next one. */
  readonly delaySeconds: number
  /** Requests of one queue that may be out at the same time. */
  readonly perHost: number
  /** What was handed out and not reported after so many seconds has failed. */
  readonly leaseSeconds: number
  /** Requests that takers keep apart wait in queues of their own; by host if left out. */
  readonly queueOf?: (url: string) => string
  /** What must not go out now, whatever the plan says. */
  readonly isHeldBack?: (url: string) => boolean
  /** The order within a queue, if not that of the plan. */
  readonly inOrder?: (queue: readonly FetchRequest[]) => readonly FetchRequest[]
  /** What is out when the crawl is stopped stays so, as whoever keeps it resumes it. It has failed if left out. */
  readonly keepsLeases?: boolean
}

/** A request that somebody has taken. */
interface Lease {
  readonly request: FetchRequest
  readonly queue: string
  readonly until: number
}

/** What a taker wants. */
interface Wanted {
  /** Of this queue only. */
  readonly queue?: string
  /** Until then somebody else gets it; as the options say if left out. */
  readonly leaseSeconds?: number
}

/**
 * A fetcher whose requests others send: it hands them out, of each host the best first and politely, and takes reports of
 * what came. So a crawl plans and learns as ever, whoever fetches.
 */
export class HandOut implements Fetcher {
  readonly #options: HandOutOptions
  /** By queue: what may be sent of it, best first. */
  #waiting = new Map<string, FetchRequest[]>()
  #sends = 0
  readonly #leases = new Map<number, Lease>()
  /** None of them ends before. */
  #firstEnd = Number.POSITIVE_INFINITY
  /** By queue and host: how many are out. */
  readonly #out = new Map<string, number>()
  /** Queues and hosts that rest, and until when. */
  readonly #readyAt = new Map<string, number>()
  readonly #reported: FetchOutcome[] = []
  #news = Promise.withResolvers<void>()
  #isAwaked = false

  constructor(options: HandOutOptions) {
    this.#options = options
  }

  post({ requests, sends }: Board): void {
    this.#waiting = new Map()
    this.#sends = sends
    this.#isAwaked = false
    const open = new Set(this.inFlight())
    for (const request of [...requests].sort((a, b) => b.priority - a.priority)) {
      if (open.has(request.id)) continue
      const queue = this.#queueOf(request.url)
      const others = this.#waiting.get(queue)
      if (others) others.push(request)
      else this.#waiting.set(queue, [request])
    }
    const { inOrder } = this.#options
    if (inOrder)
      for (const [queue, some] of this.#waiting) this.#waiting.set(queue, [...inOrder(some)])
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
      if (!mayCome || this.#isAwaked || clock.now() >= end) return undefined
      await this.#wait(Math.min(end, this.#firstEnd))
    }
  }

  inFlight(): number[] {
    return [...this.#leases.keys(), ...this.#reported.map(({ id }) => id)]
  }

  paceOf(): number {
    return this.#options.delaySeconds
  }

  /** Whoever has something keeps it in vain, unless it is resumed. */
  endWithin(): void {
    for (const [id, { request }] of this.#leases)
      if (this.#options.keepsLeases) this.#release(id)
      else this.#fail(request, 'the crawl was stopped', { brokenOff: true })
    this.#tell()
  }

  async close(): Promise<void> {
    this.post(EMPTY_BOARD)
  }

  /** What is worth most of all queues that are free now; undefined if there is none. */
  take({
    queue,
    leaseSeconds = this.#options.leaseSeconds,
  }: Wanted = {}): FetchRequest | undefined {
    if (this.#sends <= 0) return undefined
    this.#endLeases()
    let best: { readonly queue: string; readonly request: FetchRequest } | undefined
    for (const name of queue === undefined ? this.#waiting.keys() : [queue]) {
      const request = this.#bestOf(name)
      if (request && (!best || request.priority > best.request.priority))
        best = { queue: name, request }
    }
    if (!best) return undefined
    this.#remove(best.queue, best.request)
    this.#sends--
    this.#lease({ ...best, until: this.#options.clock.now() + leaseSeconds })
    return best.request
  }

  /** What somebody had taken before a restart, until when. */
  resume(request: FetchRequest, until: number): void {
    this.#lease({ request, queue: this.#queueOf(request.url), until })
  }

  /** Whether somebody has it now. */
  has(id: number): boolean {
    return this.#leases.has(id)
  }

  /** What came of a request that was handed out; whoever comes too late is not heard. */
  report(outcome: FetchOutcome): boolean {
    const lease = this.#leases.get(outcome.id)
    if (!lease) return false
    this.#release(outcome.id)
    for (const name of namesOf(lease)) this.rest(name, this.#options.delaySeconds)
    this.#reported.push(outcome)
    this.#tell()
    return true
  }

  /** Leaves a queue or host alone for so many seconds. */
  rest(queue: string, seconds: number): void {
    const until = this.#options.clock.now() + seconds
    this.#readyAt.set(queue, Math.max(until, this.#readyAt.get(queue) ?? 0))
  }

  /** Whether somebody who asks now gets something. */
  hasFree(queue?: string): boolean {
    if (this.#sends <= 0) return false
    const queues = queue === undefined ? this.queues() : [queue]
    return queues.some((name) => this.#bestOf(name) !== undefined)
  }

  /** Queues with something that may go out now, that of the best first. */
  freeQueues(): string[] {
    this.#endLeases()
    const best = this.queues().flatMap((queue) => {
      const request = this.#bestOf(queue)
      return request ? [{ queue, priority: request.priority }] : []
    })
    return best.sort((a, b) => b.priority - a.priority).map(({ queue }) => queue)
  }

  /** Nothing waits, and nobody has anything. */
  get isEmpty(): boolean {
    return this.#waiting.size === 0 && this.#leases.size === 0
  }

  /** Queues with something to send, whether they are free or not. */
  queues(): readonly string[] {
    return [...this.#waiting.keys()]
  }

  /** Lets whoever waits for outcomes plan anew, as there are news. */
  wake(): void {
    this.#isAwaked = true
    this.#tell()
  }

  /** The first of a queue that may go out now. */
  #bestOf(queue: string): FetchRequest | undefined {
    const { clock, perHost, isHeldBack } = this.#options
    const now = clock.now()
    const isFree = (name: string) =>
      (this.#readyAt.get(name) ?? 0) <= now && (this.#out.get(name) ?? 0) < perHost
    if (!isFree(queue)) return undefined
    return this.#waiting.get(queue)?.find(({ url }) => isFree(hostOf(url)) && !isHeldBack?.(url))
  }

  #remove(queue: string, request: FetchRequest): void {
    const left = this.#waiting.get(queue)!
    left.splice(left.indexOf(request), 1)
    if (left.length === 0) this.#waiting.delete(queue)
  }

  #lease(lease: Lease): void {
    this.#leases.set(lease.request.id, lease)
    this.#firstEnd = Math.min(this.#firstEnd, lease.until)
    for (const name of namesOf(lease)) this.#out.set(name, (this.#out.get(name) ?? 0) + 1)
  }

  #release(id: number): void {
    const lease = this.#leases.get(id)!
    this.#leases.delete(id)
    for (const name of namesOf(lease)) {
      const left = this.#out.get(name)! - 1
      if (left > 0) this.#out.set(name, left)
      else this.#out.delete(name)
    }
  }

  #endLeases(): void {
    const now = this.#options.clock.now()
    if (now < this.#firstEnd) return
    this.#firstEnd = Number.POSITIVE_INFINITY
    for (const { request, until } of this.#leases.values())
      if (until <= now) this.#fail(request, 'nobody reported what came of it')
      else this.#firstEnd = Math.min(this.#firstEnd, until)
  }

  #fail({ id, url }: FetchRequest, reason: string, more?: { brokenOff: true }): void {
    const at = this.#options.clock.now()
    this.report({ kind: 'failed', id, url, at, ms: 0, sent: true, reason, ...more })
  }

  #queueOf(url: string): string {
    return this.#options.queueOf?.(url) ?? hostOf(url)
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

/** A host may be in several queues, and a queue may have several hosts: both rest. */
function namesOf({ queue, request }: Lease): Set<string> {
  return new Set([queue, hostOf(request.url)])
}

function hostOf(url: string): string {
  return new URL(url).host
}
