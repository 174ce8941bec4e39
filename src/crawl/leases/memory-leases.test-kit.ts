import {
  type ArriveRequest,
  type BatchName,
  type BatchState,
  EPOCHS_A_TABLE,
  EPOCHS_KEPT,
  type KnownWorker,
  type Lease,
  type LeaseLedger,
  type LeaseReport,
  type LeaseRequest,
  type Leases,
  type LeasesLook,
  type OpenLease,
  type PublishedPlan,
  type ReportAnswer,
  type StoredSegment,
  type WorkerReport,
} from './leases.ts'
import {
  ascending,
  firstWindow,
  type HeldBatch,
  knownWorkers,
  type QueuedBatch,
  type Rest,
  type SeenWorker,
  tableOf,
} from './memory-lease-rows.test-kit.ts'

/** What every lease call ends of leases whose time is over: others do their part. */
const EXPIRED_AT_A_TIME = 8

/** Leases within one process: for workers that are its threads, and for the lab. */
export class MemoryLeases implements Leases {
  readonly #now: () => number
  readonly #epochs = new Map<number, QueuedBatch[]>()
  readonly #held = new Map<string, HeldBatch[]>()
  readonly #rests = new Map<string, Rest>()
  readonly #places = new Map<string, number>()
  readonly #workers = new Map<string, SeenWorker>()
  #segments: StoredSegment[] = []
  readonly #segmentNames = new Set<string>()
  #ledger: LeaseLedger = { total: 0, spent: 0, lost: 0, escrow: 0 }
  #epoch = -1
  /** What is queued of plans up to this one has ended. */
  #overEpoch = -1
  #tokens = 0
  #text = ''
  #isWithdrawnForGood = false

  /** `now` in seconds; must not run backwards. */
  constructor(now: () => number) {
    this.#now = now
  }

  async now(): Promise<number> {
    return this.#now()
  }

  async announce(text: string): Promise<void> {
    this.#text = text
  }

  async announced(): Promise<string> {
    return this.#text
  }

  async epoch(): Promise<number> {
    return this.#epoch
  }

  async setBudget(total: number): Promise<void> {
    const { spent, lost, escrow } = this.#ledger
    this.#ledger = { ...this.#ledger, total: Math.max(total, spent + lost + escrow) }
  }

  async publish({ epoch, batches, places = new Map() }: PublishedPlan): Promise<void> {
    if (epoch <= this.#epoch) throw new Error(`plan ${epoch} is older than plan ${this.#epoch}`)
    const queued = this.#queued()
    const freed = queued.reduce((sum, batch) => sum + batch.size - batch.opened, 0)
    const size = batches.reduce((sum, batch) => sum + batch.size, 0)
    const { total, spent, lost, escrow } = this.#ledger
    if (size > total - spent - lost - escrow + freed)
      throw new Error(`plan ${epoch} has more fetches than the budget allows`)
    for (const batch of queued) this.#end(batch)
    this.#add({ escrow: size })
    this.#epoch = epoch
    this.#isWithdrawnForGood = false
    this.#overEpoch = epoch - 1
    if (!this.#epochs.keys().some((old) => tableOf(old) === tableOf(epoch))) this.#dropOld(epoch)
    this.#epochs.set(
      epoch,
      batches.map((batch, rank) => ({
        ...batch,
        ...{ epoch, rank, state: 'queued', opened: 0 },
        ...{ done: Array<boolean>(batch.size).fill(false), doneCount: 0 },
      })),
    )
    for (const [address, most] of places) this.#places.set(address, most)
    for (const [domain, { readyAt, keptUntil }] of this.#rests)
      if (Math.max(readyAt, keptUntil) < this.#now()) this.#rests.delete(domain)
  }

  async withdraw(isForGood: boolean): Promise<void> {
    this.#isWithdrawnForGood = isForGood
    for (const batch of this.#queued()) this.#end(batch)
    this.#overEpoch = this.#epoch
  }

  async lease(request: LeaseRequest): Promise<readonly Lease[]> {
    const { worker, most, seconds, fromRank, turn, openSeconds = 0, onlyHere = false } = request
    const { ahead = new Map() } = request
    const asking = this.#seen(worker, seconds)
    this.#expire(EXPIRED_AT_A_TIME)
    const now = this.#now()
    if (this.#epoch <= this.#overEpoch) return []
    const plan = this.#epochs.get(this.#epoch) ?? []
    const chosen: QueuedBatch[] = []
    for (const batch of [...plan.slice(fromRank), ...plan.slice(0, fromRank)]) {
      if (chosen.length === most) break
      if (batch.state !== 'queued' || !this.#isFree(batch.domain, now, asking, ahead)) continue
      if (onlyHere && !asking.at.has(batch.address)) continue
      if (batch.address !== '' && !this.#takePlace(batch.address, asking, turn)) continue
      chosen.push(batch)
    }
    const leases: Lease[] = []
    for (const batch of chosen.toSorted((a, b) => a.rank - b.rank)) {
      batch.state = 'leased'
      const token = ++this.#tokens
      const before = this.#held.get(batch.domain) ?? []
      this.#held.set(batch.domain, [...before, { batch, token, worker: asking, turn }])
      const seconds = openSeconds - (ahead.get(batch.domain) ?? 0)
      const granted = Math.min(batch.size - batch.opened, firstWindow(batch, seconds))
      batch.opened += granted
      const { state, doneCount, done, ...lease } = batch
      const hosts = this.#rests.get(batch.domain)?.hosts ?? ''
      leases.push({ ...lease, done: [...done], token, granted, hosts })
    }
    return leases
  }

  async arrive({ worker, seconds, addresses, turn }: ArriveRequest): Promise<readonly string[]> {
    const asking = this.#seen(worker, seconds)
    return addresses.filter((address) => this.#takePlace(address, asking, turn)).toSorted()
  }

  async report(report: WorkerReport): Promise<ReportAnswer> {
    const { worker, seconds, segment, leases, turn, at, held, wants } = report
    const asking = this.#seen(worker, seconds)
    const told = leases.map((each) => this.#reportOn(each, asking))
    for (const each of held ? this.#leases : [])
      if (each.worker === asking && each.turn < turn && !held!.includes(each.token))
        this.#release(each, this.#now() + each.batch.restSeconds, false)
    for (const [address, since] of at ? asking.at : [])
      if (since < turn && !at!.includes(address)) asking.at.delete(address)
    if (segment !== undefined && !this.#segmentNames.has(segment)) {
      this.#segmentNames.add(segment)
      const repeated = told.flatMap(({ answer: { epoch, rank }, repeated: positions }) =>
        positions.length > 0 ? [{ epoch, rank, positions: ascending(positions) }] : [],
      )
      const sequence = (this.#segments.at(-1)?.sequence ?? 0) + 1
      this.#segments.push({ sequence, name: segment, worker, repeated })
    }
    const mayLease = wants && this.#epoch > wants.newerThan
    const got = mayLease ? await this.lease({ ...wants, worker, seconds, turn }) : []
    return { answers: told.map(({ answer }) => answer), epoch: this.#epoch, leases: got }
  }

  async expire(): Promise<number> {
    return this.#expire(Number.POSITIVE_INFINITY)
  }

  async ledger(): Promise<LeaseLedger> {
    return this.#ledger
  }

  async open(withPayloads = false): Promise<readonly OpenLease[]> {
    const now = this.#now()
    return this.#leases.map(({ batch, worker }) => ({
      ...{ epoch: batch.epoch, rank: batch.rank, domain: batch.domain, worker: worker.name },
      ...{ opened: batch.opened, done: [...batch.done], secondsLeft: worker.until - now },
      payload: withPayloads ? batch.payload : new Uint8Array(),
    }))
  }

  async look(epochs: readonly number[]): Promise<LeasesLook> {
    await this.expire()
    return { ledger: await this.ledger(), batches: this.#states(epochs) }
  }

  #states(epochs: readonly number[]): BatchState[] {
    return epochs
      .flatMap((epoch) => this.#epochs.get(epoch) ?? [])
      .filter(({ state, opened }) => state === 'leased' || opened > 0)
      .map(({ epoch, rank, state, opened, done }) => ({
        ...{ epoch, rank, state, opened, done: [...done] },
      }))
  }

  async workers(): Promise<readonly KnownWorker[]> {
    return knownWorkers([...this.#workers.values()], this.#leases, this.#now())
  }

  async segments(after: number): Promise<readonly StoredSegment[]> {
    return this.#segments.filter(({ sequence }) => sequence > after)
  }

  async forgetSegments(upTo: number): Promise<void> {
    const last = this.#segments.at(-1)?.sequence ?? 0
    this.#segments = this.#segments.filter(({ sequence }) => sequence > Math.min(upTo, last - 1))
  }

  async close(): Promise<void> {}

  #reportOn(report: LeaseReport, asking: SeenWorker) {
    const { epoch, rank, open, end, restSeconds = 0, hosts, address = '' } = report
    const batch = this.#epochs.get(epoch)?.[rank]
    const held = this.#heldBy(report, asking)
    // Somebody else may be at it, or it is planned anew: what comes late would be fetched and finished twice.
    if (!batch || !held)
      return { repeated: report.done, answer: { epoch, rank, isLost: true, granted: 0 } }
    const repeated = this.#note(batch, report, asking)
    if (open < 0) batch.opened += open
    if (end) {
      const now = this.#now()
      if (address !== '') batch.address = address
      this.#release(held, now + restSeconds, end === 'ended')
      if (hosts)
        Object.assign(this.#rests.get(batch.domain)!, {
          ...{ hosts: hosts.text, keptUntil: now + hosts.seconds },
        })
      return { repeated, answer: { epoch, rank, isLost: false, granted: Math.min(open, 0) } }
    }
    const granted =
      this.#isWithdrawnForGood || open < 0
        ? Math.min(open, 0)
        : Math.min(open, batch.size - batch.opened)
    if (open > 0) batch.opened += granted
    return { repeated, answer: { epoch, rank, isLost: false, granted } }
  }

  /** Counts what is done; gives what was reported before. */
  #note(batch: QueuedBatch, { done, free = [] }: LeaseReport, asking: SeenWorker): number[] {
    const repeated: number[] = []
    for (const position of done) {
      if (batch.done[position] !== false) {
        repeated.push(position)
        continue
      }
      batch.done[position] = true
      batch.doneCount++
      asking.done++
      const spent = free.includes(position) ? 0 : 1
      this.#add({ spent, escrow: -1 })
    }
    return repeated
  }

  #expire(most: number): number {
    const now = this.#now()
    const over = [...this.#held.values()]
      .filter(([{ worker }]) => worker.until <= now)
      .slice(0, most)
      .flat()
    // Its worker has sent nothing since the lease ended, by its own clock.
    for (const held of over) this.#release(held, held.worker.until + held.batch.restSeconds, false)
    for (const { until, at } of this.#workers.values()) if (until <= now) at.clear()
    return over.length
  }

  /** What was opened stays opened: it may have been sent. So a batch that fails again and again ends. */
  #release(held: HeldBatch, readyAt: number, isOver: boolean): void {
    const { batch } = held
    const others = this.#held.get(batch.domain)!.filter((each) => each !== held)
    if (others.length > 0) this.#held.set(batch.domain, others)
    else this.#held.delete(batch.domain)
    const { hosts = '', keptUntil = 0 } = this.#rests.get(batch.domain) ?? {}
    this.#rests.set(batch.domain, { readyAt, hosts, keptUntil })
    const isOld = batch.epoch <= this.#overEpoch || this.#isWithdrawnForGood
    if (isOver || isOld || batch.opened === batch.size) this.#end(batch)
    else batch.state = 'queued'
  }

  /** What was opened and not reported is lost; what was never opened goes back to the budget. */
  #end(batch: QueuedBatch): void {
    batch.state = 'ended'
    this.#add({ lost: batch.opened - batch.doneCount, escrow: batch.doneCount - batch.size })
  }

  #heldBy(
    { epoch, rank, token }: BatchName & { token: number },
    worker: SeenWorker,
  ): HeldBatch | undefined {
    const batch = this.#epochs.get(epoch)?.[rank]
    const held = (batch && this.#held.get(batch.domain)) ?? []
    return held.find(
      (each) => each.batch === batch && each.token === token && each.worker === worker,
    )
  }

  #queued(): QueuedBatch[] {
    return (this.#epochs.get(this.#epoch) ?? []).filter(({ state }) => state === 'queued')
  }

  #dropOld(epoch: number): void {
    const isOld = (table: number) => (table + 1) * EPOCHS_A_TABLE <= epoch - EPOCHS_KEPT
    const held = new Set(this.#leases.map(({ batch }) => tableOf(batch.epoch)))
    for (const old of this.#epochs.keys())
      if (isOld(tableOf(old)) && !held.has(tableOf(old))) this.#epochs.delete(old)
  }

  get #leases(): HeldBatch[] {
    return [...this.#held.values()].flat()
  }

  #isFree(
    domain: string,
    now: number,
    asking: SeenWorker,
    ahead: ReadonlyMap<string, number>,
  ): boolean {
    const [held] = this.#held.get(domain) ?? []
    if (held) return held.worker === asking && ahead.has(domain)
    return (this.#rests.get(domain)?.readyAt ?? 0) <= now
  }

  #takePlace(address: string, worker: SeenWorker, turn: number): boolean {
    const since = worker.at.get(address)
    const taken = [...this.#workers.values()].filter(({ at }) => at.has(address)).length
    if (since === undefined && taken >= (this.#places.get(address) ?? 1)) return false
    worker.at.set(address, Math.max(turn, since ?? turn))
    return true
  }

  #seen(name: string, seconds: number): SeenWorker {
    const now = this.#now()
    const known = this.#workers.get(name)
    const worker = known ?? { name, since: now, seen: now, until: 0, done: 0, at: new Map() }
    worker.seen = now
    worker.until = Math.max(worker.until, now + seconds)
    this.#workers.set(name, worker)
    return worker
  }

  #add({ spent = 0, lost = 0, escrow = 0 }: Partial<LeaseLedger>): void {
    const { total, ...before } = this.#ledger
    this.#ledger = {
      total,
      spent: before.spent + spent,
      lost: before.lost + lost,
      escrow: before.escrow + escrow,
    }
  }
}
