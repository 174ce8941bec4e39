import type { Board, Clock, Fetcher, FetcherMemory } from '#crawl/ports.ts'
import { costOf, type FetchOutcome } from '#learn/entries/outcome.ts'
import { hostOf } from '#parse/url/canonical-url.ts'
import type { Bounds } from './bounds/bounds.ts'
import { LONGEST_TIMER_MS } from './client/deadline.ts'
import { Turns } from './manners/turns.ts'
import type { RobotsExplanation } from './robots/robots-explanation.ts'
import type { Notice, Sender } from './sender.ts'
import { type SiteRule, Sites } from './sites/sites.ts'

/** A fetcher that can be asked what it knows, and be given it again after a restart. */
export interface LiveFetcher extends Fetcher {
  /** What must be remembered; of robots.txt files, those asked for since then (seconds since 1970). */
  memory(robotsSince?: number): Promise<FetcherMemory>
  /** What robots.txt means for a URL; fetches it if need be. Nothing when that was called off. */
  explainRobots(url: string): Promise<RobotsExplanation | undefined>
  /** From now on these hold for own sites, and no others. */
  useSites(rules: readonly SiteRule[]): void
}

interface ReaderOptions {
  readonly clock: Clock
  readonly bytesLeft?: () => number
  /** What the senders keep to: how many may be sent, and how many bytes received. */
  readonly bounds: Pick<Bounds, 'allowance' | 'ledger'>
  /** Of hosts that were never asked. */
  readonly usualPace: number
  readonly sites?: readonly SiteRule[]
}

/** So many outcomes are read at most before the sender hears of it. */
const MOST_UNTOLD = 8
/** The paces of more hosts than this are not kept. */
const MAX_PACES = 10_000

/** The half of a fetcher that reads: it goes by what the sender has told so far. */
export class OutcomeReader implements LiveFetcher {
  readonly #options: ReaderOptions
  readonly #sender: Sender
  readonly #sites: Sites
  readonly #unread = new Turns<FetchOutcome>()
  /** Sent, and their outcomes not read: what was paid for each. */
  readonly #sent = new Map<number, number>()
  readonly #paces = new Map<string, number>()
  #sumOfPaces = 0
  /** Boards posted, and those of them that the sender knows. */
  #posts = 0
  #postsKnown = 0
  #departures = 0
  /** With it all sends of the latest board are used up. */
  #lastDeparture = 0
  /** Outcomes read, and those of them that the sender knows to be counted. */
  #reads = 0
  #readsCounted = 0
  /** Bytes of outcomes read since. */
  #uncountedBytes = 0
  /** How often the sender was told something. */
  #told = 0
  #idle = { told: 0, isOutOfBytes: false }
  #error: Error | undefined
  #isClosed = false
  /** Resolves at the next notice. */
  #change = Promise.withResolvers<void>()

  constructor(options: ReaderOptions, open: (tell: (notice: Notice) => void) => Sender) {
    this.#options = options
    this.#sites = new Sites(options.sites)
    this.#sender = open((notice) => this.#hear(notice))
  }

  post(board: Board): void {
    this.#posts++
    this.#told++
    this.#lastDeparture = this.#departures + board.sends
    this.#options.bounds.allowance.allow(this.#lastDeparture)
    this.#sender.post({ requests: board.requests }, this.#reads)
  }

  async inForce(): Promise<void> {
    while (this.#postsKnown < this.#posts && !this.#isClosed) {
      if (this.#error) throw this.#error
      await within(Number.POSITIVE_INFINITY, this.#change.promise)
    }
  }

  async next(
    until = Number.POSITIVE_INFINITY,
    untilSent = Number.POSITIVE_INFINITY,
  ): Promise<FetchOutcome | undefined> {
    // A message for each would cost a tenth of a crawl; who waits for the next has told of all before.
    const untold = this.#reads - this.#readsCounted
    if (this.#unread.size === 0 || untold >= MOST_UNTOLD) this.#tellCounted()
    while (true) {
      if (this.#error) throw this.#error
      const change = this.#change.promise
      // Whoever reads an outcome knows of all that was sent of boards before the latest.
      const isHeard = this.#postsKnown === this.#posts
      const outcome = isHeard ? this.#take() : undefined
      if (outcome) return outcome
      const due = this.#departures >= this.#lastDeparture ? Math.min(until, untilSent) : until
      const seconds = isHeard ? due - this.#options.clock.now() : Number.POSITIVE_INFINITY
      if (seconds <= 0 || this.#isIdle || this.#isClosed) return undefined
      await within(seconds, change)
    }
  }

  inFlight(): readonly number[] {
    return [...this.#sent.keys()]
  }

  inFlightCost(): number {
    return this.#sent.values().reduce((sum, cost) => sum + cost, 0)
  }

  paceOf(host: string): number {
    const known = this.#paces.get(host) ?? paceOfSite(this.#sites.ofHost(host))
    // Hosts that need not rest take their time to answer: a new one as much as others did.
    return known ?? (this.#options.usualPace || this.#sumOfPaces / (this.#paces.size || 1))
  }

  isOutOfBytes(): boolean {
    return this.#idle.isOutOfBytes
  }

  useSites(rules: readonly SiteRule[]): void {
    this.#sites.replace(rules)
    this.#sender.useSites(rules)
  }

  endWithin(seconds: number): void {
    this.#sender.endWithin(seconds)
  }

  memory(robotsSince?: number): Promise<FetcherMemory> {
    return this.#sender.memory(robotsSince)
  }

  explainRobots(url: string): Promise<RobotsExplanation | undefined> {
    return this.#sender.explainRobots(url)
  }

  async close(): Promise<void> {
    await this.#sender.close()
    this.#isClosed = true
    this.#change.resolve()
  }

  get #isIdle(): boolean {
    return this.#idle.told === this.#told
  }

  /** Who comes back for the next has counted what he read. */
  #tellCounted(): void {
    if (this.#readsCounted === this.#reads) return
    this.#readsCounted = this.#reads
    this.#told++
    const { bytesLeft, bounds } = this.#options
    if (bytesLeft) bounds.ledger.counted(this.#uncountedBytes, bytesLeft())
    this.#uncountedBytes = 0
    bounds.allowance.allow(this.#lastDeparture)
    this.#sender.read(this.#reads)
  }

  #take(): FetchOutcome | undefined {
    const outcome = this.#unread.take()
    if (!outcome) return undefined
    this.#reads++
    this.#uncountedBytes += bytesOf(outcome)
    // What was paid and not used may be sent for something else.
    const paid = this.#sent.get(outcome.id)
    if (paid !== undefined) this.#lastDeparture += paid - costOf(outcome)
    this.#sent.delete(outcome.id)
    return outcome
  }

  #hear(notice: Notice): void {
    switch (notice.kind) {
      case 'posted':
        this.#postsKnown = notice.posts
        break
      case 'sent':
        this.#departures += notice.cost
        this.#sent.set(notice.id, notice.cost)
        this.#notePace(hostOf(notice.url), notice.pace)
        break
      case 'answered':
        this.#unread.push(notice.outcome)
        break
      case 'idle':
        this.#idle = notice
        break
      case 'broken':
        this.#error = new Error(notice.reason)
        break
      case 'ended':
        this.#error = notice.error
    }
    this.#change.resolve()
    this.#change = Promise.withResolvers<void>()
  }

  #notePace(host: string, pace: number): void {
    this.#forgetPace(host)
    this.#paces.set(host, pace)
    this.#sumOfPaces += pace
    if (this.#paces.size <= MAX_PACES) return
    const [oldest] = this.#paces.keys()
    this.#forgetPace(oldest)
  }

  #forgetPace(host: string): void {
    this.#sumOfPaces -= this.#paces.get(host) ?? 0
    this.#paces.delete(host)
  }
}

/** Comes back when something has changed, or after so many seconds; until then the process does not end. */
async function within(seconds: number, change: Promise<void>): Promise<void> {
  const late = Promise.withResolvers<void>()
  const timer = setTimeout(late.resolve, Math.min(seconds * 1000, LONGEST_TIMER_MS))
  await Promise.race([change, late.promise])
  clearTimeout(timer)
}

function paceOfSite(site: SiteRule | undefined): number | undefined {
  return site?.delaySeconds === undefined ? undefined : site.delaySeconds / (site.connections ?? 1)
}

/** The bytes that an outcome tells of. */
function bytesOf(outcome: FetchOutcome): number {
  return 'bytes' in outcome ? outcome.bytes : 0
}
