import type { Lease } from '#crawl/leases/leases.ts'
import { EMPTY_BOARD, type FetcherMemory } from '#crawl/ports.ts'
import type { FetchOutcome } from '#learn/entries/outcome.ts'
import { hostOf } from '#parse/url/canonical-url.ts'
import { registrableDomain } from '#parse/url/registrable-domain.ts'
import type { FleetWorkerOptions, WorkerFetcher } from './fleet-worker-options.ts'
import * as times from './fleet-worker-times.ts'
import { HeldBatch } from './held-batch.ts'
import { HeldBatches } from './held-batches.ts'
import { LeaseWishes, type Wish } from './lease-wishes.ts'
import { type LeasedBounds, LeaseTime, leasedBounds } from './leased-bounds.ts'
import { LeasesClock } from './leases-clock.ts'
import { endingsOf, laterBy } from './rest-of.ts'
import { Troubles } from './troubles.ts'

/**
 * A worker of a fleet: leases batches of one domain each, opens requests before it sends them, stores what comes, and
 * reports. It keeps nothing: whoever kills it loses what it did in the last five seconds, which stays paid for.
 */
export class FleetWorker {
  readonly #options: FleetWorkerOptions
  readonly #time: LeaseTime
  readonly #clock: LeasesClock
  readonly #held = new HeldBatches()
  #bounds: LeasedBounds | undefined
  #fetcher: WorkerFetcher | undefined
  #reading: Promise<void> = Promise.resolve()
  #closing: Promise<void> = Promise.resolve()
  /** It may have leases or places that it never heard of: until then its reports say what it knows. */
  #unsureUntil = Number.NEGATIVE_INFINITY
  #saidAllAt = Number.NEGATIVE_INFINITY
  /** It breaks off what is under way, as its leases may end. */
  #isCutOff = false
  /** What the fetcher before knew of hosts. */
  #known: Partial<FetcherMemory> = {}
  /** Numbers what the database is asked. */
  #turns = 0
  readonly #wishes = new LeaseWishes()
  #reportedAt = Number.NEGATIVE_INFINITY
  #arriveAt = Number.NEGATIVE_INFINITY
  /** Addresses that it asked for last and has no place at. */
  #refused: ReadonlySet<string> = new Set()
  #news = Promise.withResolvers<void>()
  #isStopping = false
  readonly #troubles: Troubles
  /** Answers to requests since it began. */
  done = 0

  constructor(options: FleetWorkerOptions) {
    this.#options = options
    this.#troubles = new Troubles(options)
    this.#time = new LeaseTime(options.now)
    this.#clock = new LeasesClock(options.now)
  }

  /** Fetches until it is told to stop; then hands back what it has. */
  async run(signal: AbortSignal): Promise<void> {
    const guard = this.#guard(signal)
    while (!signal.aborted) {
      const isWell = await this.#turn(signal)
      await this.#options.sleep(isWell ? times.STEP_SECONDS : times.RETRY_SECONDS, signal)
    }
    await guard
    await this.#leave()
  }

  /** Watches over the leases, whatever the database or the store take their time for. */
  async #guard(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#cutOffIfAtRisk()
      await this.#options.sleep(times.STEP_SECONDS, signal)
    }
  }

  /** One round: reports if that is due, leases more, and lets what was opened be sent. False after trouble. */
  async #turn(signal: AbortSignal): Promise<boolean> {
    if (!(await this.#clock.set((ask) => this.#troubles.try('database', ask)))) return false
    if (this.#isReportDue && !(await this.#report(false))) return false
    if (signal.aborted) return true
    return (await this.#arrive()) && (await this.#leaseMore())
  }

  get #isReportDue(): boolean {
    const since = this.#options.now() - this.#reportedAt
    const usual = times.reportSeconds(this.#held.size)
    if (since >= usual) return this.#hasNews
    if (since < times.HURRIED_SHARE * usual) return false
    if (this.#options.writer.isLarge) return true
    const { idle, size } = this.#held
    return idle > 0 && idle >= times.DRY_SHARE * size
  }

  get #hasNews(): boolean {
    const { writer } = this.#options
    return this.#hasSomething || !writer.isEmpty || this.#isCutOff || this.#isUnsure
  }

  get #isUnsure(): boolean {
    return this.#options.now() < this.#unsureUntil
  }

  #noteUnsure(): false {
    this.#unsureUntil = this.#options.now() + times.UNSURE_SECONDS
    return false
  }

  /** Leases, or places only. */
  get #hasSomething(): boolean {
    return this.#held.size > 0 || (this.#bounds?.addresses.at ?? []).length > 0
  }

  /** Stores what came, then reports it, renews all leases and opens more. False if that could not be done. */
  async #report(isLast: boolean): Promise<boolean> {
    const { name: worker, now, writer } = this.#options
    if (!writer.isBehind) writer.seal(await this.#fetcher?.memory(writer.robotsSince))
    await this.#troubles.try('store', () => writer.store())
    // What is not stored is not done; to renew the leases is still right, and to open more is not.
    const { stored, isBehind } = writer
    const ended = await this.#knownOfEnded(isLast)
    const wanted = new Map<HeldBatch, number>()
    const underWay = new Set(isLast ? this.#fetcher?.inFlight() : [])
    const openOf = (batch: HeldBatch) => {
      if (batch.leavesFor) return -batch.leavesFor.unsent
      if (isLast) return -batch.unsent((id) => underWay.has(id))
      return ended.has(batch) || isBehind || this.#isCutOff ? 0 : batch.ask()
    }
    for (const batch of this.#held) wanted.set(batch, openOf(batch))
    // Of the others it is enough that they are there: unless it was cut off, it has them.
    const hasNews = (batch: HeldBatch) =>
      wanted.get(batch) !== 0 || ended.has(batch) || this.#isCutOff
    const done = stored?.draft.done
    const told = [...new Set([...[...this.#held].filter(hasNews), ...(done?.keys() ?? [])])]
    const reports = told.map((batch) => {
      const { positions = [], free = [] } = done?.get(batch) ?? {}
      const open = wanted.get(batch) ?? 0
      return { ...batch.report(positions, free), open, ...ended.get(batch) }
    })
    await this.#cutOffIfAtRisk() // a machine that slept has nothing left to renew
    const needed = this.#held.addresses((host) => this.#fetcher?.addressOf?.(host))
    this.#bounds?.addresses.leaveUnused((address) => needed.has(address), isLast)
    const places = { turn: this.#turns++, at: this.#bounds?.addresses.at ?? [] }
    const known = Array.from(this.#held, ({ lease }) => lease.token)
    const askedAt = now()
    const wants = isLast ? undefined : this.#wish(ended.size)
    const saysAll =
      this.#isUnsure || this.#isCutOff || askedAt > this.#saidAllAt + times.SAY_ALL_SECONDS
    const answer = await this.#troubles.try('database', (leases) =>
      leases.report({
        ...{ worker, seconds: times.LEASE_SECONDS, ...places, wants },
        ...{ segment: stored?.name, leases: reports },
        ...(saysAll && { held: known }),
      }),
    )
    if (!answer) return this.#noteUnsure()
    if (stored) writer.reported()
    this.#reportedAt = now()
    if (saysAll) this.#saidAllAt = askedAt
    this.#time.renew(askedAt, times.LEASE_SECONDS)
    this.#wishes.heard(answer.epoch, this.#reportedAt)
    for (const [i, { isLost, granted }] of answer.answers.entries()) {
      const batch = told[i]
      batch.grant(granted, wanted.get(batch) ?? 0)
      if (isLost && this.#held.has(batch))
        this.#options.note?.({ kind: 'lost', domain: batch.lease.domain })
      if (isLost || ended.has(batch)) this.#held.drop(batch)
    }
    if (!isLast) {
      if (!this.#fetcher || this.#isCutOff) await this.#open()
      if (wants && answer.epoch > wants.newerThan) this.#take(answer.leases, wants, askedAt)
      this.#post()
    }
    return !isBehind
  }

  /** Leases that end with this report, and what whoever is next must know of their hosts. */
  async #knownOfEnded(isLast: boolean) {
    const { writer } = this.#options
    const ends = (it: HeldBatch) => isLast || it.leavesFor || it.isOver
    const ending = [...this.#held].filter((it) => ends(it) && (isLast || !writer.lacks(it)))
    if (ending.length === 0) return new Map<HeldBatch, never>()
    const memory = (await this.#fetcher?.memory(Number.POSITIVE_INFINITY)) ?? this.#known
    return endingsOf(ending, memory, this.#clock)
  }

  /** What it would lease now, if it has room; with a report that ends some, these leave theirs. */
  #wish(ending = 0) {
    const { concurrency, now, writer } = this.#options
    if (writer.isBehind || this.#isCutOff) return undefined
    const ahead = this.#held.ahead(times.AHEAD_SECONDS)
    return this.#wishes.wish(concurrency, this.#held.size, now(), { ending, ahead })
  }

  async #leaseMore(): Promise<boolean> {
    const { now, name: worker } = this.#options
    await this.#cutOffIfAtRisk()
    const wants = this.#wishes.isUrgent(now(), this.#held.size > 0) ? this.#wish() : undefined
    if (!wants) return true
    const askedAt = now()
    const ask = { ...wants, worker, seconds: times.LEASE_SECONDS, turn: this.#turns++ }
    const leases = await this.#troubles.try('database', (each) => each.lease(ask))
    if (!leases) return this.#noteUnsure()
    if (leases.length > 0) {
      // All that a worker has lasts as long as its latest word says.
      this.#time.renew(askedAt, times.LEASE_SECONDS)
      if (this.#held.size === 0) this.#reportedAt = askedAt
      if (!this.#fetcher) await this.#open()
    }
    this.#take(leases, wants, askedAt)
    if (leases.length > 0) this.#post()
    return true
  }

  #take(leases: readonly Lease[], wants: Wish, askedAt: number): void {
    this.#wishes.took(leases, wants, askedAt, this.#held.size + leases.length > 0)
    for (const lease of leases) {
      const batch = new HeldBatch(lease)
      this.#held.add(batch)
      this.#fetcher!.remember(laterBy(batch.memory, this.#clock.error))
      if (lease.address !== '') this.#bounds?.addresses.arrive([lease.address])
      // A host that came back to us is still parked where it waited, and asks for nothing by itself.
      const known = this.#fetcher!.addressOf?.(hostOf(batch.requests[0].url))
      if (known !== undefined) this.#bounds?.addresses.want(known)
    }
  }

  /** Asks for places at addresses that hosts wait for. */
  async #arrive(): Promise<boolean> {
    const wanted = this.#bounds?.addresses.wanted ?? []
    const { name: worker, now } = this.#options
    if (wanted.length === 0 || this.#isCutOff) return true
    const isNew = wanted.some((address) => !this.#refused.has(address))
    if (now() < this.#arriveAt + (isNew ? 0 : times.ARRIVE_SECONDS)) return true
    this.#arriveAt = now() + times.ASK_SECONDS
    const bounds = this.#bounds
    const ask = { worker, seconds: times.LEASE_SECONDS, addresses: wanted, turn: this.#turns++ }
    const places = await this.#troubles.try('database', (leases) => leases.arrive(ask))
    if (!places) return this.#noteUnsure()
    bounds?.addresses.arrive(places)
    this.#refused = new Set(wanted.filter((address) => !places.includes(address)))
    this.#handBack(this.#refused)
    return true
  }

  /** Whoever is at these addresses has places for their domains: they are better off there than waiting here. */
  #handBack(taken: ReadonlySet<string>): void {
    if (taken.size === 0 || !this.#fetcher?.addressOf) return
    const fetcher = this.#fetcher
    const misplaced = this.#held.at(taken, (host) => fetcher.addressOf?.(host), fetcher.inFlight())
    for (const [batch, address] of misplaced) {
      batch.leaveFor(address)
      this.#options.writer.noteAddress(batch.lease.domain, address)
      this.#bounds?.addresses.wantNoMore(address)
    }
    if (misplaced.length > 0) this.#post()
  }

  async #open(): Promise<void> {
    await this.#close()
    this.#isCutOff = false
    const mayAsk = () =>
      !this.#isStopping && !this.#isCutOff && this.#time.secondsLeft >= times.MARGIN_SECONDS
    this.#bounds = {
      ...leasedBounds(mayAsk, this.#options.now),
      isOwn: (host) => this.#held.hasDomain(registrableDomain(host)),
    }
    this.#fetcher = this.#options.open(this.#bounds, () => this.#clock.now())
    for (const { memory } of this.#held) this.#fetcher.remember(memory)
    this.#fetcher.remember(this.#known)
    this.#reading = this.#read(this.#fetcher)
  }

  #post(): void {
    const requests = [...this.#held].flatMap((batch) => batch.sendable)
    this.#fetcher?.post({ requests, sends: requests.length })
    this.#tellReader()
  }

  /** Takes in outcomes until the fetcher is another one. */
  async #read(fetcher: WorkerFetcher): Promise<void> {
    while (this.#fetcher === fetcher) {
      const news = this.#news.promise
      const outcome = await fetcher.next()
      if (outcome) this.#takeIn(outcome, fetcher)
      else await news
    }
  }

  #takeIn(outcome: FetchOutcome, fetcher: WorkerFetcher): void {
    const batch = this.#held.take(outcome.id)
    if (!batch) return
    this.done++
    this.#options.writer.add(batch, outcome, fetcher.paceOf?.(hostOf(outcome.url)) ?? 0)
  }

  /** Places end with the leases, and are there without any too. */
  async #cutOffIfAtRisk(): Promise<void> {
    const isAtRisk = this.#hasSomething && this.#time.secondsLeft < times.MARGIN_SECONDS
    if (this.#fetcher && !this.#isCutOff && isAtRisk) await this.#cutOff(this.#fetcher)
  }

  /** The leases may end soon, and nobody can say: nothing is sent, and what is under way is broken off. */
  async #cutOff(fetcher: WorkerFetcher): Promise<void> {
    this.#isCutOff = true
    this.#options.note?.({ kind: 'cut off' })
    await this.#breakOff(fetcher, times.MARGIN_SECONDS / 2)
    if (this.#fetcher === fetcher) await this.#close()
  }

  /** Gives what is under way so long to end, and takes it in. */
  async #breakOff(fetcher: WorkerFetcher, seconds: number): Promise<void> {
    const { sleep, now } = this.#options
    fetcher.post(EMPTY_BOARD)
    fetcher.endWithin?.(seconds)
    const until = now() + seconds + times.STEP_SECONDS
    this.#tellReader()
    while (fetcher.inFlight().length > 0 && now() < until) await sleep(times.STEP_SECONDS / 2)
  }

  async #close(): Promise<void> {
    if (this.#fetcher) this.#closing = this.#end(this.#fetcher)
    await this.#closing
  }

  async #end(fetcher: WorkerFetcher): Promise<void> {
    this.#fetcher = undefined
    this.#tellReader()
    this.#known = await fetcher.memory()
    await fetcher.close()
    await this.#reading
    // Only now is nothing under way anywhere, and no place needed.
    this.#bounds = undefined
  }

  #tellReader(): void {
    this.#news.resolve()
    this.#news = Promise.withResolvers()
  }

  async #leave(): Promise<void> {
    const { now, sleep } = this.#options
    this.#isStopping = true
    if (this.#fetcher) await this.#breakOff(this.#fetcher, times.STOP_SECONDS)
    const until = now() + times.LAST_REPORT_SECONDS
    while (this.#hasNews && !(await this.#report(true)) && now() < until)
      await sleep(times.RETRY_SECONDS)
    await this.#close()
  }
}
