import { setTimeout as sleep } from 'node:timers/promises'
import type { FetchOutcome } from '#crawl/outcome.ts'
import type { Clock, Fetcher, FetchRequest } from '#crawl/ports.ts'
import { hostOf } from '#parse/canonical-url.ts'
import { crawlDelaySeconds, isAllowed } from '#parse/robots-txt.ts'
import { Connections } from './connections.ts'
import { ACCEPT_ENCODING } from './decode-body.ts'
import { HostQueue, type Waiting } from './host-queue.ts'
import { type HttpAnswer, type HttpFailure, httpGet } from './http-get.ts'
import { OutcomeChannel } from './outcome-channel.ts'
import { mayBePage, readAnswer } from './read-answer.ts'
import type { ResolveRule } from './resolve-rules.ts'
import { ROBOTS_BYTES, RobotsCache, type RobotsState } from './robots-cache.ts'

export interface LiveFetcherOptions {
  readonly userAgent: string
  /** The name robots.txt knows us by. */
  readonly agentToken: string
  readonly resolve: readonly ResolveRule[]
  /** From the end of one answer to the next request on the same host. */
  readonly delayMs: number
  readonly connectionsPerHost: number
  /** Hosts that may be asked at the same time. */
  readonly concurrency: number
  readonly timeouts: {
    readonly connectMs: number
    readonly firstByteMs: number
    readonly totalMs: number
  }
  /** On the wire, and again once unpacked. */
  readonly maxBodyBytes: number
  readonly clock: Clock
  /** Told of every request that is about to be sent, those for robots.txt included. */
  readonly onRequest?: (url: string) => void
}

/** Some sites ask for days and mean "go away"; robots.txt has a better word for that. */
const MAX_CRAWL_DELAY_MS = 60_000
/** After so many connections failed in a row, a host is left alone for this call. */
const MAX_CONNECT_FAILURES = 3
/** Outcomes nobody has read yet; beyond this nothing more is sent. */
const MAX_UNREAD = 256
/** Connections stay open this long without work, or a little longer than the delay. */
const IDLE_MS = 4_000

/** A fetcher for the live web, or for whatever `resolve` puts in its place. */
export function liveFetcher(options: LiveFetcherOptions): Fetcher {
  return new LiveFetcher(options)
}

/** One `fetchAll`. `open` counts the requests that still owe an outcome. */
interface Call {
  readonly channel: OutcomeChannel
  open: number
  aborted: boolean
}

type Host = HostQueue<Call>

/**
 * All calls share the hosts, so a host's manners hold across them. `#row` has the hosts that may
 * send now; each turn sends the best request of the first, so no host waits for another's backlog.
 */
class LiveFetcher implements Fetcher {
  readonly #options: LiveFetcherOptions
  readonly #connections: Connections
  readonly #robots: RobotsCache
  readonly #hosts = new Map<string, Host>()
  readonly #row: Host[] = []
  readonly #calls = new Set<Call>()
  #active = 0

  constructor(options: LiveFetcherOptions) {
    this.#options = options
    this.#connections = new Connections({
      resolve: options.resolve,
      connectionsPerHost: options.connectionsPerHost,
      connectMs: options.timeouts.connectMs,
      idleMs: Math.max(IDLE_MS, options.delayMs + 2_000),
      maxOrigins: Math.max(256, 4 * options.concurrency),
    })
    this.#robots = new RobotsCache((url, hop) => this.#getRobots(url, hop), options.clock)
  }

  async *fetchAll(
    requests: readonly FetchRequest[],
    signal: AbortSignal,
  ): AsyncGenerator<FetchOutcome, void, undefined> {
    if (signal.aborted || requests.length === 0) return
    const channel = new OutcomeChannel(() => this.#sendMore())
    const call: Call = { channel, open: requests.length, aborted: false }
    const abort = () => this.#abort(call)
    this.#calls.add(call)
    signal.addEventListener('abort', abort, { once: true })
    try {
      for (const request of requests) this.#hostOf(request.url).add({ request, owner: call })
      for (const host of this.#hosts.values()) this.#queueUp(host)
      this.#sendMore()
      yield* channel.read()
    } finally {
      signal.removeEventListener('abort', abort)
      this.#abort(call)
      channel.close()
      this.#calls.delete(call)
      this.#forgetIdleHosts()
      this.#sendMore()
    }
  }

  async close(): Promise<void> {
    for (const call of this.#calls) this.#abort(call)
    await this.#connections.close()
  }

  #hostOf(url: string): Host {
    const name = hostOf(url)
    const known = this.#hosts.get(name)
    if (known) return known
    const host: Host = new HostQueue(name)
    this.#hosts.set(name, host)
    return host
  }

  /** Puts a host that has work and a free connection into the row, at once or when its delay is over. */
  #queueUp(host: Host): void {
    if (host.inRow || host.timer || host.size === 0) return
    if (host.active >= this.#options.connectionsPerHost) return
    const waitMs = host.readyAt - performance.now()
    if (waitMs <= 0) {
      host.inRow = true
      this.#row.push(host)
      return
    }
    host.timer = setTimeout(() => {
      host.timer = undefined
      this.#queueUp(host)
      this.#sendMore()
    }, Math.ceil(waitMs))
  }

  #sendMore(): void {
    while (this.#active < this.#options.concurrency && !this.#isOverfull()) {
      const host = this.#row.shift()
      if (!host) return
      host.inRow = false
      this.#sendNext(host)
      this.#queueUp(host)
    }
  }

  /** True when consumers lag so far behind that pages would pile up in memory. */
  #isOverfull(): boolean {
    let unread = 0
    for (const { channel } of this.#calls) unread += channel.unread
    return unread >= MAX_UNREAD
  }

  /** Sends the best request that may be sent; those that may not are answered on the way. */
  #sendNext(host: Host): void {
    for (let entry = host.takeBest(); entry; entry = host.takeBest()) {
      const { url } = entry.request
      const { origin } = new URL(url)
      const state = this.#robots.known(origin)
      if (!state) {
        host.add(entry)
        void this.#occupy(host, async () => this.#delayOf(await this.#robots.load(origin)))
        return
      }
      if (state.kind === 'unreachable') {
        this.#fail(entry, `robots.txt unreachable (${state.reason})`)
        continue
      }
      const verdict = isAllowed(state.robots, this.#options.agentToken, url)
      if (verdict.allowed) {
        const allowed = entry
        void this.#occupy(host, async () => {
          await this.#fetchPage(host, allowed)
          return this.#delayOf(state)
        })
        return
      }
      this.#settle(entry, {
        ...this.#unsent(entry),
        kind: 'disallowed',
        rule: verdict.rule ?? '',
      })
    }
  }

  /** Holds one of the host's places while `work` lasts, and then for the delay that it gives. */
  async #occupy(host: Host, work: () => Promise<number>): Promise<void> {
    this.#active++
    host.active++
    const delayMs = await work()
    host.readyAt = performance.now() + delayMs
    host.active--
    this.#active--
    this.#queueUp(host)
    this.#sendMore()
  }

  async #fetchPage(host: Host, entry: Waiting<Call>): Promise<void> {
    const { clock, timeouts, maxBodyBytes, agentToken } = this.#options
    const { id, url } = entry.request
    const startedAt = performance.now()
    const answer = await this.#get(
      new URL(url),
      { ...timeouts, maxBodyBytes },
      ACCEPT_ENCODING,
      mayBePage,
    )
    const attempt = { id, url, at: clock.now(), ms: performance.now() - startedAt }
    if (answer.kind === 'answer') {
      host.connectFailures = 0
      this.#settle(entry, readAnswer(attempt, answer, { agentToken, maxBodyBytes }))
      return
    }
    const { kind: _, ...failure } = answer
    this.#settle(entry, { ...attempt, kind: 'failed', ...failure })
    host.connectFailures = failure.sent ? 0 : host.connectFailures + 1
    if (host.connectFailures < MAX_CONNECT_FAILURES) return
    host.connectFailures = 0
    for (const other of host.takeAll()) this.#fail(other, failure.reason)
  }

  async #getRobots(url: URL, hop: number): Promise<HttpAnswer | HttpFailure> {
    if (hop > 0) await sleep(this.#options.delayMs)
    const limits = { ...this.#options.timeouts, maxBodyBytes: ROBOTS_BYTES }
    return this.#get(url, limits, 'gzip', (status) => status >= 200 && status < 300)
  }

  #get(
    url: URL,
    limits: Parameters<typeof httpGet>[3],
    acceptEncoding: string,
    wantsBody: Parameters<typeof httpGet>[4],
  ): Promise<HttpAnswer | HttpFailure> {
    this.#options.onRequest?.(url.href)
    const headers = {
      'user-agent': this.#options.userAgent,
      accept: 'text/html,application/xhtml+xml,text/plain;q=0.8,*/*;q=0.1',
      'accept-encoding': acceptEncoding,
    }
    return httpGet(this.#connections.to(url), url, headers, limits, wantsBody)
  }

  #delayOf(state: RobotsState): number {
    const { agentToken, delayMs } = this.#options
    if (state.kind === 'unreachable') return delayMs
    const asked = (crawlDelaySeconds(state.robots, agentToken) ?? 0) * 1000
    return Math.max(delayMs, Math.min(asked, MAX_CRAWL_DELAY_MS))
  }

  #fail(entry: Waiting<Call>, reason: string): void {
    this.#settle(entry, { ...this.#unsent(entry), kind: 'failed', reason, sent: false })
  }

  #unsent({ request: { id, url } }: Waiting<Call>) {
    return { id, url, at: this.#options.clock.now(), ms: 0 }
  }

  #settle({ owner }: Waiting<Call>, outcome: FetchOutcome): void {
    owner.channel.push(outcome)
    owner.open--
    if (owner.open === 0) owner.channel.end()
  }

  /** Forgets what a call has not sent yet; what is under way still gets its outcome. */
  #abort(call: Call): void {
    if (call.aborted) return
    call.aborted = true
    for (const host of this.#hosts.values()) {
      call.open -= host.drop(call)
      if (host.size > 0) continue
      clearTimeout(host.timer)
      host.timer = undefined
    }
    if (call.open === 0) call.channel.end()
  }

  /** Keeps only the hosts whose delay is not over yet, so that the next call waits for it too. */
  #forgetIdleHosts(): void {
    const now = performance.now()
    for (const [name, host] of this.#hosts)
      if (host.size === 0 && host.active === 0 && !host.inRow && host.readyAt <= now)
        this.#hosts.delete(name)
  }
}
