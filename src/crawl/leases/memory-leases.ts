import {
  type Batch,
  type BatchName,
  EPOCHS_KEPT,
  type Lease,
  type LeaseAnswer,
  type LeaseLedger,
  type LeaseReport,
  type LeaseRequest,
  type Leases,
  type OpenLease,
  type PublishedPlan,
  type StoredSegment,
  type WorkerReport,
} from './leases.ts'

type State = 'queued' | 'leased' | 'ended'

interface QueuedBatch extends Batch, BatchName {
  state: State
  opened: number
  readonly done: boolean[]
  doneCount: number
}

interface HeldBatch {
  readonly batch: QueuedBatch
  readonly token: number
  readonly worker: string
  until: number
  address: string
}

/** What every lease call ends of leases whose time is over: others do their part. */
const EXPIRED_AT_A_TIME = 8

/** Leases within one process: for workers that are its threads, and for the lab. */
export class MemoryLeases implements Leases {
  readonly #now: () => number
  readonly #epochs = new Map<number, QueuedBatch[]>()
  readonly #held = new Map<string, HeldBatch>()
  readonly #restingUntil = new Map<string, number>()
  readonly #places = new Map<string, number>()
  readonly #taken = new Map<string, number>()
  readonly #segments: StoredSegment[] = []
  readonly #segmentNames = new Set<string>()
  #ledger: LeaseLedger = { total: 0, spent: 0, lost: 0, escrow: 0 }
  #epoch = -1
  #tokens = 0

  /** `now` in seconds; must not run backwards. */
  constructor(now: () => number) {
    this.#now = now
  }

  async setBudget(total: number): Promise<void> {
    const { spent, lost, escrow } = this.#ledger
    this.#ledger = { ...this.#ledger, total: Math.max(total, spent + lost + escrow) }
  }

  async publish({ epoch, batches, places = new Map() }: PublishedPlan): Promise<void> {
    if (epoch <= this.#epoch) throw new Error(`plan ${epoch} is older than plan ${this.#epoch}`)
    const queued = (this.#epochs.get(this.#epoch) ?? []).filter(({ state }) => state === 'queued')
    const freed = queued.reduce((sum, batch) => sum + batch.size - batch.opened, 0)
    const size = batches.reduce((sum, batch) => sum + batch.size, 0)
    const { total, spent, lost, escrow } = this.#ledger
    if (size > total - spent - lost - escrow + freed)
      throw new Error(`plan ${epoch} has more fetches than the budget allows`)
    for (const batch of queued) this.#end(batch)
    this.#add({ escrow: size })
    this.#epoch = epoch
    this.#epochs.set(
      epoch,
      batches.map((batch, rank) => ({
        ...batch,
        ...{ epoch, rank, state: 'queued', opened: 0 },
        ...{ done: Array<boolean>(batch.size).fill(false), doneCount: 0 },
      })),
    )
    for (const [address, most] of places) this.#places.set(address, most)
    for (const [domain, until] of this.#restingUntil)
      if (until <= this.#now()) this.#restingUntil.delete(domain)
    for (const old of this.#epochs.keys())
      if (old <= epoch - EPOCHS_KEPT && !this.#isHeld(old)) this.#epochs.delete(old)
  }

  async lease({ worker, most, seconds, fromRank }: LeaseRequest): Promise<readonly Lease[]> {
    this.#expire(EXPIRED_AT_A_TIME)
    const now = this.#now()
    const leases: Lease[] = []
    for (const batch of this.#epochs.get(this.#epoch)?.slice(fromRank) ?? []) {
      if (leases.length === most) break
      if (batch.state !== 'queued' || !this.#isFree(batch.domain, now)) continue
      if (!this.#takePlace(batch.address)) continue
      batch.state = 'leased'
      const token = ++this.#tokens
      const { address } = batch
      this.#held.set(batch.domain, { batch, token, worker, until: now + seconds, address })
      const { state, doneCount, done, ...lease } = batch
      leases.push({ ...lease, done: [...done], token })
    }
    return leases
  }

  async locate(lease: BatchName & { readonly token: number }, address: string): Promise<boolean> {
    const held = this.#heldBy(lease)
    if (!held || held.address === address) return held !== undefined
    this.#leavePlace(held.address)
    held.address = ''
    if (this.#takePlace(address)) {
      held.address = address
      return true
    }
    this.#handBack(held, this.#now() + held.batch.restSeconds)
    return false
  }

  async report({
    worker,
    seconds,
    segment,
    leases,
  }: WorkerReport): Promise<readonly LeaseAnswer[]> {
    if (segment !== undefined && !this.#segmentNames.has(segment)) {
      this.#segmentNames.add(segment)
      this.#segments.push({ sequence: this.#segments.length + 1, name: segment, worker })
    }
    return leases.map((report) => this.#reportOn(report, seconds))
  }

  async expire(): Promise<number> {
    return this.#expire(Number.POSITIVE_INFINITY)
  }

  async ledger(): Promise<LeaseLedger> {
    return this.#ledger
  }

  async open(): Promise<readonly OpenLease[]> {
    const now = this.#now()
    return [...this.#held.values()].map(({ batch, worker, until }) => ({
      ...{ epoch: batch.epoch, rank: batch.rank, domain: batch.domain, worker },
      ...{ opened: batch.opened, done: [...batch.done], secondsLeft: until - now },
    }))
  }

  async segments(after: number): Promise<readonly StoredSegment[]> {
    return this.#segments.slice(after)
  }

  async close(): Promise<void> {}

  #reportOn(report: LeaseReport, seconds: number): LeaseAnswer {
    const { epoch, rank, open, end, restSeconds = 0 } = report
    const batch = this.#epochs.get(epoch)?.[rank]
    if (batch) this.#note(batch, report.done)
    const held = this.#heldBy(report)
    if (!batch || !held) return { epoch, rank, isLost: true, granted: 0 }
    if (end) {
      const restsUntil = this.#now() + restSeconds
      if (end === 'ended') this.#finish(held, restsUntil)
      else this.#handBack(held, restsUntil)
      return { epoch, rank, isLost: false, granted: 0 }
    }
    const granted = Math.min(open, batch.size - batch.opened)
    batch.opened += granted
    held.until = this.#now() + seconds
    return { epoch, rank, isLost: false, granted }
  }

  /** Work that comes late counts too, where nobody else has done it. */
  #note(batch: QueuedBatch, done: readonly number[]): void {
    for (const position of done) {
      if (batch.done[position] !== false) continue
      batch.done[position] = true
      batch.doneCount++
      this.#add(batch.state === 'ended' ? { spent: 1, lost: -1 } : { spent: 1, escrow: -1 })
    }
  }

  #expire(most: number): number {
    const now = this.#now()
    const over = [...this.#held.values()].filter(({ until }) => until <= now).slice(0, most)
    // Its worker has sent nothing since the lease ended, by its own clock.
    for (const held of over) this.#handBack(held, held.until + held.batch.restSeconds)
    return over.length
  }

  /** What was opened stays opened: it may have been sent. So a batch that fails again and again ends. */
  #handBack(held: HeldBatch, restsUntil: number): void {
    const { batch } = held
    this.#release(held, restsUntil)
    if (batch.epoch < this.#epoch || batch.opened === batch.size) this.#end(batch)
    else batch.state = 'queued'
  }

  #finish(held: HeldBatch, restsUntil: number): void {
    this.#release(held, restsUntil)
    this.#end(held.batch)
  }

  #release({ batch, address }: HeldBatch, restsUntil: number): void {
    this.#held.delete(batch.domain)
    this.#leavePlace(address)
    this.#restingUntil.set(batch.domain, restsUntil)
  }

  /** What was opened and not reported is lost; what was never opened goes back to the budget. */
  #end(batch: QueuedBatch): void {
    batch.state = 'ended'
    this.#add({ lost: batch.opened - batch.doneCount, escrow: batch.doneCount - batch.size })
  }

  #heldBy({ epoch, rank, token }: BatchName & { token: number }): HeldBatch | undefined {
    const batch = this.#epochs.get(epoch)?.[rank]
    const held = batch && this.#held.get(batch.domain)
    return held?.token === token ? held : undefined
  }

  #isFree(domain: string, now: number): boolean {
    return !this.#held.has(domain) && (this.#restingUntil.get(domain) ?? 0) <= now
  }

  #isHeld(epoch: number): boolean {
    return [...this.#held.values()].some(({ batch }) => batch.epoch === epoch)
  }

  #takePlace(address: string): boolean {
    if (address === '') return true
    const taken = this.#taken.get(address) ?? 0
    if (taken >= (this.#places.get(address) ?? 1)) return false
    this.#taken.set(address, taken + 1)
    return true
  }

  #leavePlace(address: string): void {
    if (address !== '') this.#taken.set(address, this.#taken.get(address)! - 1)
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
