import type { Fetcher, FetchRequest, HostState, HostTrust, RobotsRecord } from '#crawl/ports.ts'
import type { FetchOutcome } from '#learn/entries/outcome.ts'
import { contentUsage, crawlDelaySeconds, isAllowed } from '#parse/robots/robots-txt.ts'
import { hostOf } from '#parse/url/canonical-url.ts'
import { hadBetterEnd } from './calls/call-end.ts'
import { FetchCall, FetchCalls } from './calls/fetch-call.ts'
import { LateAnswers } from './calls/late-answers.ts'
import { disallowed, putOff, turnedAway } from './calls/unsent-outcomes.ts'
import { withUsage } from './calls/with-usage.ts'
import { ByteLedger } from './client/byte-ledger.ts'
import { Deadline } from './client/deadline.ts'
import { bytesOf, WebClient } from './client/web-client.ts'
import { callLengthsOf, type LiveFetcherOptions, mannersOf } from './fetcher-options.ts'
import { HostLocator } from './hosts/host-locator.ts'
import { HostRow } from './hosts/host-row.ts'
import { reactionOf } from './http/reaction.ts'
import { HostManners } from './manners/host-manners.ts'
import type { HostQueue, Waiting } from './manners/host-queue.ts'
import { getRobotsPolitely } from './robots/polite-robots.ts'
import { RobotsCache, type RobotsState } from './robots/robots-cache.ts'
import { explainRobots, type RobotsExplanation } from './robots/robots-explanation.ts'
import { steadyClock } from './steady-clock.ts'

export type { LiveFetcherOptions } from './fetcher-options.ts'

/** A fetcher that can be asked what it knows, and be given it again after a restart. */
export interface LiveFetcher extends Fetcher {
  /** What must be remembered of hosts; of those not listed, nothing. */
  hostStates(): HostState[]
  /** What robots.txt files said, of the origins asked since then (seconds since 1970). */
  robotsRecords(since?: number): RobotsRecord[]
  /** Whether hosts' answers to conditional requests are to be believed. */
  hostTrusts(): HostTrust[]
  /** What robots.txt means for a URL; fetches it if need be. Nothing when that was called off. */
  explainRobots(url: string): Promise<RobotsExplanation | undefined>
}

/** A fetcher for the live web, or for whatever `resolve` puts in its place. */
export function liveFetcher(options: LiveFetcherOptions): LiveFetcher {
  return new PoliteFetcher(options)
}

/** Outcomes nobody has read yet; beyond this nothing more is sent. */
const MAX_UNREAD = 256

type Host = HostQueue<FetchCall>
type Rules = RobotsState & { kind: 'rules' }

/** All calls share the hosts, so a host's manners hold across them. */
class PoliteFetcher implements LiveFetcher {
  readonly #options: LiveFetcherOptions
  readonly #lengths: ReturnType<typeof callLengthsOf>
  readonly #late: LateAnswers
  readonly #now: () => number
  readonly #deadline: Deadline
  readonly #ledger: ByteLedger
  readonly #client: WebClient
  readonly #manners: HostManners
  readonly #locator: HostLocator
  readonly #robots: RobotsCache
  readonly #row: HostRow<FetchCall>
  readonly #calls = new FetchCalls()
  /** When the robots.txt was asked for that a host waits for. */
  readonly #heldSince = new Map<string, number>()
  readonly #closing = new AbortController()

  constructor(options: LiveFetcherOptions) {
    this.#options = options
    this.#lengths = callLengthsOf(options)
    this.#late = new LateAnswers(this.#lengths)
    this.#now = steadyClock(options.clock)
    this.#deadline = new Deadline(this.#now, options.deadline)
    this.#ledger = new ByteLedger(options.bytesLeft)
    const manners = {
      mayConnect: (host: string, address: string) => this.#row.arrive(host, address),
      restAfter: (host: string, ms: number) => this.#manners.restAfter(host, ms),
    }
    this.#client = new WebClient({ ...options, ...manners }, this.#ledger, this.#deadline)
    this.#manners = new HostManners(mannersOf(options), options.hostStates)
    this.#locator = new HostLocator(this.#client, this.#manners, this.#now)
    this.#row = new HostRow<FetchCall>({
      manners: this.#manners,
      concurrency: options.concurrency,
      patienceSeconds: this.#lengths.maxCallSeconds,
      now: this.#now,
      locator: this.#locator,
      maySend: () => this.#maySend(),
      serve: (host) => this.#serve(host),
      postpone: (host, seconds, reason) => {
        for (const entry of host.takeAll())
          this.#answer(entry, (at) => putOff(entry.request, at, reason, seconds))
      },
    })
    const way = {
      client: this.#client,
      manners: this.#manners,
      places: this.#row,
      locator: this.#locator,
      now: this.#now,
      patienceSeconds: this.#lengths.maxCallSeconds,
      closing: this.#closing.signal,
    }
    this.#robots = new RobotsCache({
      ...options,
      get: (url) => {
        const state = this.#robots.known(url.origin)
        if (state?.kind === 'rules') this.#notePace(url.host, state)
        return getRobotsPolitely(url, way)
      },
      now: this.#now,
      records: options.robotsRecords,
    })
  }

  async *fetchAll(
    requests: readonly FetchRequest[],
    signal: AbortSignal,
  ): AsyncGenerator<FetchOutcome, void, undefined> {
    const call = this.#begin(signal.aborted ? [] : requests)
    const abort = () => this.#abort(call)
    signal.addEventListener('abort', abort, { once: true })
    const ticking = this.#watch(call)
    try {
      yield* call.channel.read(
        () => this.#row.sendMore(),
        (outcome) => this.#ledger.counted(bytesOf(outcome)),
      )
    } finally {
      clearInterval(ticking)
      signal.removeEventListener('abort', abort)
      this.#abort(call)
      this.#calls.end(call)
      this.#late.endCall(this.#now(), call.sent)
      this.#manners.forgetClean(this.#now())
      this.#row.sendMore()
    }
  }

  inFlight(): readonly number[] {
    return this.#calls.pending()
  }

  isOutOfBytes(): boolean {
    return this.#row.active === 0 && this.#ledger.free <= 0
  }

  endWithin(seconds: number): void {
    this.#deadline.leave(seconds)
  }

  async close(): Promise<void> {
    this.#deadline.cancel()
    this.#closing.abort()
    for (const call of this.#calls.open()) this.#abort(call)
    await this.#client.close()
  }

  hostStates(): HostState[] {
    return this.#manners.states(this.#now())
  }

  robotsRecords(since?: number): RobotsRecord[] {
    return this.#robots.records(since)
  }

  hostTrusts(): HostTrust[] {
    return this.#client.hostTrusts()
  }

  async explainRobots(url: string): Promise<RobotsExplanation | undefined> {
    const { origin } = new URL(url)
    const state = this.#robots.known(origin) ?? (await this.#robots.load(origin))
    return state && explainRobots(state, this.#options.agentToken, url, this.#now())
  }

  /** What is under way already needs no second request: its outcome comes out of this call. */
  #begin(requests: readonly FetchRequest[]): FetchCall {
    const pending = new Set(this.#calls.pending())
    const wanted = pending.size === 0 ? requests : requests.filter(({ id }) => !pending.has(id))
    const hosts = new Set(wanted.map(({ url }) => hostOf(url)))
    const width = Math.min(hosts.size, this.#options.concurrency)
    const call = new FetchCall(wanted.length, width, this.#now())
    this.#calls.begin(call)
    this.#late.beginCall(this.#now())
    this.#row.add(wanted, call)
    call.endIfDone()
    return call
  }

  /** Forgets what a call has not sent yet, and waits for what is under way. */
  #abort(call: FetchCall): void {
    call.isPatient = true
    this.#forgetUnsent(call)
    call.endIfDone()
  }

  #forgetUnsent(call: FetchCall): void {
    if (call.waiting > 0) this.#row.drop(call)
    call.waiting = 0
  }

  /** Looks at a call from time to time; not just after we slept ourselves, with answers yet unread. */
  #watch(call: FetchCall): NodeJS.Timeout {
    const tickMs = Math.min(Math.max(this.#late.seconds * 250, 10), 500)
    let lastTick = performance.now()
    return setInterval(() => {
      const sleptMs = performance.now() - lastTick
      lastTick += sleptMs
      if (sleptMs < 2 * tickMs) this.#endIfIdle(call)
    }, tickMs)
  }

  #endIfIdle(call: FetchCall): void {
    if (this.#deadline.isPassed) this.#abort(call)
    if (call.isPatient) return
    const now = this.#now()
    const { width, sent, startedAt } = call
    const progress = { width, sent, elapsedSeconds: now - startedAt }
    const patience = { ...this.#lengths, lateSeconds: this.#late.seconds }
    if (!hadBetterEnd(this.#outlook(call, now), progress, patience)) return
    this.#forgetUnsent(call)
    call.channel.end()
  }

  #outlook(call: FetchCall, now: number) {
    const owedSince = this.#calls.owedSince(call)
    const waiting = new Set(this.#row.hostsOf(call).map(({ name }) => name))
    return [...new Set([...owedSince.keys(), ...waiting])].map((host) => {
      const heldSince = this.#heldSince.get(host) ?? this.#locator.since(host)
      const since = owedSince.get(host) ?? heldSince
      return {
        ...(since !== undefined && { owesForSeconds: now - since }),
        ...(waiting.has(host) && { readyInSeconds: this.#manners.readyAt(host) - now }),
        rests: this.#manners.rests(host),
      }
    })
  }

  /** False while consumers lag so far behind that pages would pile up, or nothing is left to spend. */
  #maySend(): boolean {
    const isOutOfTime = this.#deadline.isPassed
    if (!isOutOfTime && this.#ledger.canReserve) return this.#calls.unread() < MAX_UNREAD
    // Requests under way may yet give bytes back that they reserved.
    if (isOutOfTime || this.#row.active === 0)
      for (const call of this.#calls.open()) this.#abort(call)
    return false
  }

  /** Sends the best request that may be sent; those that may not are answered on the way. */
  #serve(host: Host): void {
    for (let entry = host.takeBest(); entry; entry = host.takeBest()) {
      const url = new URL(entry.request.url)
      const state = this.#robots.known(url.origin)
      if (!state) {
        host.putBack(entry)
        void this.#row.holdUp(host, this.#loadRobots(host, url.origin))
        return
      }
      const { request } = entry
      if (state.kind !== 'rules') {
        this.#answer(entry, (at) => turnedAway(request, at, state, this.#now()))
        continue
      }
      const verdict = isAllowed(state.robots, this.#options.agentToken, request.url)
      if (verdict.allowed) {
        void this.#fetchPage(host.name, entry, url, state)
        return
      }
      this.#answer(entry, (at) => disallowed(request, at, verdict.rule))
    }
  }

  async #fetchPage(
    host: string,
    { request, owner }: Waiting<FetchCall>,
    url: URL,
    rules: Rules,
  ): Promise<void> {
    this.#notePace(host, rules)
    const visit = this.#row.enter(host)
    const flight = this.#calls.depart(request, host, this.#now(), owner)
    const outcome = await this.#client.getPage(request, url, (origin) =>
      this.#robots.namesSitemap(origin, request.url),
    )
    const usage = contentUsage(rules.robots, this.#options.agentToken, request.url)
    this.#calls.arrive(flight, this.#withRobots(withUsage(outcome, usage), url.origin))
    this.#row.leave(visit, reactionOf(outcome))
  }

  /** After a restart a robots.txt is known, but the pace it asks for is not. */
  #notePace(host: string, { robots }: Rules): void {
    this.#manners.notePace(host, crawlDelaySeconds(robots, this.#options.agentToken) ?? 0)
  }

  async #loadRobots(host: Host, origin: string): Promise<void> {
    this.#heldSince.set(host.name, this.#now())
    const state = await this.#robots.load(origin)
    this.#heldSince.delete(host.name)
    if (!state) return
    if (state.kind === 'rules') {
      const delay = crawlDelaySeconds(state.robots, this.#options.agentToken) ?? 0
      this.#manners.keepPace(host.name, delay, this.#now())
      return
    }
    // Nothing is sent for these, so they need not wait until the host is ready again.
    for (const entry of host.takeWhere(({ url }) => new URL(url).origin === origin))
      this.#answer(entry, (at) => turnedAway(entry.request, at, state, this.#now()))
  }

  /** Answers a request that was not sent. */
  #answer({ owner, request }: Waiting<FetchCall>, outcomeAt: (at: number) => FetchOutcome): void {
    const outcome = outcomeAt(this.#options.clock.now())
    owner.waiting--
    owner.channel.push(this.#withRobots(outcome, new URL(request.url).origin))
    owner.endIfDone()
  }

  /** The first outcome after a robots.txt was read brings it along, and the sitemaps it names. */
  #withRobots(outcome: FetchOutcome, origin: string): FetchOutcome {
    const sitemaps = this.#robots.takeFound(origin)
    const robots = this.#robots.takeExchanges(origin)
    if (!sitemaps && !robots) return outcome
    const found = sitemaps && [...(outcome.found ?? []), ...sitemaps]
    return { ...outcome, ...(found && { found }), ...(robots && { robots }) }
  }
}
