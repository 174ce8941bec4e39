import type { Board, FetcherMemory, FetchRequest, HostState } from '#crawl/ports.ts'
import type { WorkerFetcher } from '#fetch/fleet/worker/fleet-worker-options.ts'
import type { LeasedBounds } from '#fetch/fleet/worker/leased-bounds.ts'
import type { FetchOutcome } from '#learn/entries/outcome.ts'
import { hostOf } from '#parse/url/canonical-url.ts'
import { registrableDomain } from '#parse/url/registrable-domain.ts'
import { addressOf, FARM } from './farm-names.ts'

/** Requests of a host, which come one after the other, with a rest between. */
interface Host {
  readonly address: string
  waiting: FetchRequest[]
  isAsked: boolean
  readyAt: number
}

/** A worker's fetcher whose hosts answer from memory, as late and as seldom as those of the farm: what a fleet costs beside fetching. */
export class PacedFetcher implements WorkerFetcher {
  readonly #bounds: LeasedBounds
  readonly #clock: () => number
  readonly #paceSeconds: number
  readonly #found: Record<string, string>
  readonly #hosts = new Map<string, Host>()
  readonly #unread: FetchOutcome[] = []
  readonly #sent = new Set<number>()
  readonly #undo = new Set<() => void>()
  readonly #time: (seconds: number, work: () => void) => () => void
  #sends = 0
  #news = Promise.withResolvers<void>()

  /** `found` is told where domains are that have answered. */
  constructor(
    bounds: LeasedBounds,
    clock: () => number,
    paceSeconds: number,
    found: Record<string, string> = {},
    time = inRealTime,
  ) {
    this.#time = time
    this.#found = found
    this.#bounds = bounds
    this.#clock = clock
    this.#paceSeconds = paceSeconds
    bounds.addresses.whenFree((address) => this.#askAt(address))
  }

  post({ requests, sends }: Board): void {
    this.#sends = sends
    for (const host of this.#hosts.values()) host.waiting = []
    for (const request of requests)
      if (!this.#sent.has(request.id)) this.#hostOf(hostOf(request.url)).waiting.push(request)
    for (const name of this.#hosts.keys()) this.#ask(name)
  }

  async next(): Promise<FetchOutcome | undefined> {
    while (this.#unread.length === 0 && this.#sent.size > 0) await this.#news.promise
    const outcome = this.#unread.shift()
    if (outcome) this.#sent.delete(outcome.id)
    return outcome
  }

  inFlight(): readonly number[] {
    return [...this.#sent]
  }

  paceOf(): number {
    return this.#paceSeconds
  }

  addressOf(host: string): string | undefined {
    return addressOf(host)
  }

  async memory(): Promise<FetcherMemory> {
    const now = this.#clock()
    const rest = { backoffUntil: 0, backoffSeconds: 0, failures: 0 }
    const states = Array.from(
      this.#hosts,
      ([host, { readyAt }]): HostState => ({ host, readyAt, ...rest }),
    )
    return {
      hostStates: states.filter(({ readyAt }) => readyAt > now),
      robotsRecords: [],
      hostTrusts: [],
    }
  }

  remember({ hostStates = [] }: Partial<FetcherMemory>): void {
    for (const { host, readyAt } of hostStates) {
      const known = this.#hostOf(host)
      known.readyAt = Math.max(known.readyAt, readyAt)
    }
  }

  async close(): Promise<void> {
    for (const undo of this.#undo) undo()
  }

  #hostOf(name: string): Host {
    const known = this.#hosts.get(name)
    if (known) return known
    const host = { address: addressOf(name)!, waiting: [], isAsked: false, readyAt: 0 }
    this.#hosts.set(name, host)
    return host
  }

  #askAt(address: string): void {
    for (const [name, host] of this.#hosts) if (host.address === address) this.#ask(name)
  }

  #ask(name: string): void {
    const host = this.#hosts.get(name)!
    if (host.isAsked || host.waiting.length === 0 || this.#sends <= 0) return
    const wait = host.readyAt - this.#clock()
    if (wait > 0) this.#later(wait, () => this.#ask(name))
    if (wait > 0 || !this.#bounds.addresses.take(host.address, () => 1)) return
    const request = host.waiting.shift()!
    host.isAsked = true
    this.#sends--
    this.#sent.add(request.id)
    this.#later(FARM.latencyMs / 1000, () => {
      host.isAsked = false
      const at = this.#clock()
      host.readyAt = at + this.#paceSeconds
      this.#bounds.addresses.give(host.address)
      const { id, url } = request
      this.#found[registrableDomain(hostOf(url))] = host.address
      this.#unread.push({
        kind: 'failed',
        id,
        url,
        at,
        ms: FARM.latencyMs,
        sent: true,
        reason: 'timeout',
      })
      this.#news.resolve()
      this.#news = Promise.withResolvers()
      this.#askAt(host.address)
    })
  }

  #later(seconds: number, work: () => void): void {
    const undo = this.#time(seconds, () => {
      this.#undo.delete(undo)
      work()
    })
    this.#undo.add(undo)
  }
}

function inRealTime(seconds: number, work: () => void): () => void {
  const timer = setTimeout(work, Math.ceil(1000 * seconds))
  return () => clearTimeout(timer)
}
