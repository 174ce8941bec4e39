import type { LeaseLedger, Leases } from '#crawl/leases/leases.ts'
import type { Board, Clock, Fetcher, FetcherMemory } from '#crawl/ports.ts'
import type { SegmentStore } from '#crawl/segments/segment-store.ts'
import type { FetchOutcome, KeptRecord } from '#learn/entries/outcome.ts'
import { packedBatch, unpackedBatch } from './batch-payload.ts'
import { FleetMemory } from './fleet-memory.ts'
import { type FleetStatus, fleetStatus } from './fleet-status.ts'
import { makeBatches, neighboursTogether } from './make-batches.ts'
import { PublishedBatches } from './published-batches.ts'
import { type FleetCursor, type ReadOutcome, SegmentReader } from './segment-reader.ts'
import { shiftedMemory } from './shifted-times.ts'
import { waitingUrls } from './waiting-urls.ts'

interface LeasedFetcherOptions {
  readonly leases: Leases
  readonly store: SegmentStore
  readonly clock: Clock
  /** What the crawl's log has of the fleet. */
  readonly cursor: FleetCursor
  /** Requests that the fleet may make in all; without it, as many as boards say. */
  readonly total?: number
  /** Seconds between two requests to a host of which nothing is known. */
  readonly usualPace: number
  /** Workers at an address at a time, for every twenty domains there; infinite if nobody counts. */
  readonly perAddress: number
  /** Bytes that may still be received, and those that one answer has at most. */
  readonly bytes?: { readonly left: () => number; readonly ofOne: number }
  /** What was known of hosts before. */
  readonly memory: Partial<FetcherMemory>
  /** Appends records to the crawl's own WARC files, and tells where. */
  readonly keepRecords?: (records: Uint8Array) => { readonly file: string; readonly offset: number }
  /** When everything must be over; seconds of the clock. */
  readonly deadline?: number
  readonly sleep: (seconds: number) => Promise<void>
  readonly note?: (note: FleetNote) => void
}

/** What whoever runs a planner should know. */
export type FleetNote =
  | { readonly kind: 'trouble'; readonly error: Error }
  | { readonly kind: 'well again' }
  | { readonly kind: 'segment lost'; readonly name: string; readonly reason: string }

/** How often segments are asked for, and what became of batches: more often once nothing comes. */
const POLL_SECONDS = 2
const LOOK_SECONDS = 5
const QUIET_SECONDS = 2
/** Workers report every twelve seconds, often all at once. */
const QUIET_AFTER_SECONDS = 14
/** How often clocks are compared and people are told how the fleet is. */
const STATUS_SECONDS = 30
const RETRY_SECONDS = 0.5
/** As `fetch/manners/shared-places.ts` has it. */
const DOMAINS_A_SHARE = 20

/**
 * A fetcher whose requests a fleet sends: boards are published as batches of one domain, and outcomes come as workers
 * store them. All that must not be forgotten lies in the leases and in the crawl's log.
 */
export class LeasedFetcher implements Fetcher {
  readonly #options: LeasedFetcherOptions
  readonly #batches = new PublishedBatches()
  readonly #memory: FleetMemory
  readonly #reader: SegmentReader
  #ledger: LeaseLedger = { total: 0, spent: 0, lost: 0, escrow: 0 }
  #status: FleetStatus | undefined
  #epoch = -1
  /** The latest plan that is known to be there, and up to which of them no lease begins any more. */
  #published = -1
  #over = -1
  /** All that could be planned is under way: until some of it comes, another plan would have nothing, too. */
  #isAllUnderWay = false
  /** Our clock minus the leases'. */
  #ahead = 0
  #posting: Promise<void> = Promise.resolve()
  #lookedAt = Number.NEGATIVE_INFINITY
  #readAt = Number.NEGATIVE_INFINITY
  #statusAt = Number.NEGATIVE_INFINITY
  #endsAt = Number.POSITIVE_INFINITY
  #isTroubled = false
  #hasLostSegment = false
  #isClosed = false

  private constructor(options: LeasedFetcherOptions) {
    this.#options = options
    this.#memory = new FleetMemory(options.memory)
    this.#endsAt = options.deadline ?? Number.POSITIVE_INFINITY
    const { leases, store, cursor } = options
    this.#reader = new SegmentReader({
      ...{ leases, store, cursor },
      onSegment: (segment) => this.#memory.learn(segment, this.#ahead),
      onSkipped: (line) => this.#batches.read(line),
      onLost: (name, reason) => {
        this.#hasLostSegment = true
        options.note?.({ kind: 'segment lost', name, reason })
      },
    })
  }

  /** Takes up where the last planner stopped: what is leased goes on. It counts as under way, as does what waits to be read. */
  static async open(options: LeasedFetcherOptions): Promise<LeasedFetcher> {
    const fetcher = new LeasedFetcher(options)
    await fetcher.#begin()
    return fetcher
  }

  post(board: Board): void {
    this.#posting = this.#posting.then(() => this.#patiently(() => this.#publish(board)))
  }

  async inForce(): Promise<void> {
    await this.#posting
  }

  async next(
    until = Number.POSITIVE_INFINITY,
    untilSent = Number.POSITIVE_INFINITY,
  ): Promise<FetchOutcome | undefined> {
    const { clock, sleep } = this.#options
    for (;;) {
      await this.#posting
      if (this.#isOver) return undefined
      const read = await this.#patiently(() => this.#reader.next())
      if (read) {
        this.#readAt = clock.now()
        return this.#taken(read)
      }
      const hadLag = this.#reader.lag > 0
      await this.#patiently(() => this.#look())
      if (this.#reader.lag > 0 || hadLag) {
        await sleep(POLL_SECONDS)
        continue
      }
      const { hasQueued } = this.#batches
      if (!hasQueued && this.#batches.underWay().size === 0) return undefined
      const isSent = !hasQueued && !this.#isAllUnderWay
      const end = Math.min(isSent ? Math.min(until, untilSent) : until, this.#endsAt)
      if (clock.now() >= end) return undefined
      await sleep(Math.min(POLL_SECONDS, end - clock.now()))
    }
  }

  inFlight(): readonly number[] {
    return this.#isOver ? [] : [...this.#batches.underWay()]
  }

  /** What strangers send is not known before: each request may bring as much as one answer may have. */
  isOutOfBytes(): boolean {
    return this.#answersLeft < 1 && this.#batches.underWay().size === 0
  }

  get #answersLeft(): number {
    const { bytes } = this.#options
    return bytes ? Math.floor(bytes.left() / bytes.ofOne) : Number.POSITIVE_INFINITY
  }

  lost(): number {
    return this.#ledger.lost + this.#reader.cursor.missing
  }

  /** How far the log has read; what was read by the last call of this is durable by the next. */
  commitCursor(): FleetCursor {
    const { cursor } = this.#reader
    void this.#reader.removeCommitted().catch(() => {})
    return cursor
  }

  /** Who fetches what, as it was some seconds ago. */
  get status(): FleetStatus | undefined {
    return this.#status && { ...this.#status, lag: this.#reader.lag }
  }

  paceOf(host: string): number {
    return this.#memory.paceOf(host) ?? this.#options.usualPace
  }

  /** Workers go on with what they have; what comes of it is read by the next run. */
  endWithin(seconds: number): void {
    this.#endsAt = Math.min(this.#endsAt, this.#options.clock.now() + seconds)
  }

  async memory(robotsSince?: number): Promise<FetcherMemory> {
    return this.#memory.all(robotsSince)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#posting
  }

  get #isOver(): boolean {
    return this.#isClosed || this.#options.clock.now() >= this.#endsAt
  }

  async #begin(): Promise<void> {
    const { leases, total } = this.#options
    this.#epoch = await leases.epoch()
    this.#published = this.#epoch
    await this.#setClock()
    if (total !== undefined) await leases.setBudget(total)
    // In this order: nobody leases what was queued any more, and what ends from here on is among what waits, or was leased.
    await leases.withdraw(false)
    this.#over = this.#epoch
    const open = await leases.open(true)
    const waiting = await waitingUrls(this.#reader, {
      ask: (what) => this.#patiently(what),
      isOver: () => this.#isOver,
      pause: () => this.#options.sleep(RETRY_SECONDS),
    })
    const idsOf = (payload: Uint8Array) => unpackedBatch(payload).requests.map(({ id }) => id)
    this.#batches.takeUp(
      open.map(({ payload, ...lease }) => ({ ...lease, ids: idsOf(payload) })),
      waiting,
    )
    await this.#look()
  }

  async #setClock(): Promise<void> {
    const { leases, clock } = this.#options
    const before = clock.now()
    const now = await leases.now()
    this.#ahead = (before + clock.now()) / 2 - now
  }

  /** What was queued is withdrawn first: nothing that somebody has by then is published again. */
  async #publish({ requests, sends }: Board): Promise<void> {
    const { leases, total } = this.#options
    await leases.withdraw(sends === 0)
    this.#isAllUnderWay = false
    this.#over = this.#published
    await this.#update(true)
    if (sends === 0) return
    const { spent, lost, escrow } = this.#ledger
    if (total === undefined) await leases.setBudget(spent + lost + escrow + sends)
    const room = total === undefined ? Number.POSITIVE_INFINITY : total - spent - lost - escrow
    const underWay = this.#batches.underWay()
    const planned = makeBatches(
      requests.filter(({ id }) => !underWay.has(id)),
      {
        ...{ sends: Math.min(sends, room, this.#answersLeft - underWay.size), room },
        paceOf: (host) => this.paceOf(host),
        leftOf: (domain) => this.#batches.leftOf(domain),
      },
    )
    this.#isAllUnderWay = planned.length === 0
    if (planned.length === 0) return
    const made = neighboursTogether(planned, ({ domain }) => this.#addressOf(domain))
    const batches = made.map(({ domain, requests }) => ({
      domain,
      address: this.#addressOf(domain),
      size: requests.length,
      restSeconds: Math.max(...requests.map(({ url }) => this.paceOf(new URL(url).host))),
      payload: packedBatch({
        requests: requests.map(({ priority: _, ...request }) => request),
        memory: shiftedMemory(this.#memory.of(requests), -this.#ahead),
      }),
    }))
    const epoch = ++this.#epoch
    // Noted first: should the answer be lost, the plan may have been leased all the same.
    for (const [rank, { domain, requests }] of made.entries()) {
      const ids = requests.map(({ id }) => id)
      this.#batches.add({ epoch, rank }, domain, ids, 'queued')
    }
    await leases.publish({ epoch, batches, places: this.#places() })
    this.#published = epoch
    this.#over = epoch - 1
  }

  /** Where a domain was last found; '' if that is unknown, or nobody counts. */
  #addressOf(domain: string): string {
    return this.#isCounted ? (this.#memory.addressOf(domain) ?? '') : ''
  }

  get #isCounted(): boolean {
    return this.#options.perAddress < Number.POSITIVE_INFINITY
  }

  /** An address with many domains has room for more workers than one. */
  #places(): Map<string, number> {
    if (!this.#isCounted) return new Map()
    const shares = [...this.#memory.domainsByAddress()].map(
      ([address, domains]) => [address, Math.ceil(domains / DOMAINS_A_SHARE)] as const,
    )
    return new Map(shares.filter(([, places]) => places > 1))
  }

  /** Looks now and then what became of batches: some are leased by now, and some have ended. */
  async #look(): Promise<void> {
    const now = this.#options.clock.now()
    const isQuiet = now - this.#readAt > QUIET_AFTER_SECONDS
    if (now - this.#lookedAt < (isQuiet ? QUIET_SECONDS : LOOK_SECONDS)) return
    this.#lookedAt = now
    await this.#update(false)
    if (now - this.#statusAt < STATUS_SECONDS) return
    this.#statusAt = now
    await this.#setClock()
    this.#status = await fleetStatus(this.#options.leases, this.#reader.lag)
  }

  async #update(isWithdrawn: boolean): Promise<void> {
    const { leases } = this.#options
    const { lag } = this.#reader
    // As it was before the question: what is published meanwhile is in no answer to it.
    const over = this.#over
    const isOver = (epoch: number) => epoch <= over
    const { batches, ledger } = await leases.look(this.#batches.epochs)
    this.#batches.update(batches, isWithdrawn, isOver)
    this.#ledger = ledger
    if (!this.#hasLostSegment || lag > 0) return
    this.#hasLostSegment = false
    this.#reader.countMissing(this.#batches.giveUp())
  }

  /** An outcome as the crawl takes it: by its clock, and with its records in its own files. */
  #taken(read: ReadOutcome): FetchOutcome {
    this.#batches.read(read)
    const { outcome, fleet, records } = read
    const { kept, ...rest } = outcome
    const taken = { ...rest, at: outcome.at + this.#ahead, fleet } as FetchOutcome
    const { keepRecords } = this.#options
    if (!kept || !records || !keepRecords) return taken
    const { file, offset } = keepRecords(records)
    const placed = (record: KeptRecord) => ({
      ...record,
      ...{ filename: file, offset: record.offset + offset },
    })
    const { own, robots } = kept
    return { ...taken, kept: { ...(own && { own: placed(own) }), robots: robots.map(placed) } }
  }

  /** A database or a store that is gone for a while is waited for: workers go on with what they have. */
  async #patiently<T>(work: () => Promise<T>): Promise<T | undefined> {
    do {
      try {
        const value = await work()
        if (this.#isTroubled) this.#options.note?.({ kind: 'well again' })
        this.#isTroubled = false
        return value
      } catch (error) {
        if (!this.#isTroubled) this.#options.note?.({ kind: 'trouble', error: error as Error })
        this.#isTroubled = true
        await this.#options.sleep(RETRY_SECONDS)
      }
    } while (!this.#isOver)
    return undefined
  }
}
