import type { FetcherMemory, FetchRequest } from '#crawl/ports.ts'
import { costOf, type FetchOutcome } from '#learn/entries/outcome.ts'
import { hostOf } from '#parse/url/canonical-url.ts'
import type { Bounds } from '../bounds/bounds.ts'
import type { LiveFetcherOptions } from '../fetcher-options.ts'
import { Turns } from '../manners/turns.ts'
import type { RobotsExplanation } from '../robots/robots-explanation.ts'
import type { Notice, Sender, WorkerBoard } from '../sender.ts'
import type { SiteRule } from '../sites/sites.ts'
import { DomainOwners } from '../team/domain-owners.ts'
import { PooledWorker } from './pooled-worker.ts'
import { memoryOf, mergedMemory } from './worker-memory.ts'

type WorkerOptions = Omit<
  LiveFetcherOptions,
  'clock' | 'bytesLeft' | 'lookup' | 'onRequest' | 'onLongRead' | 'keep' | 'keepRobots' | 'render'
>

interface PoolOptions {
  readonly bounds: Bounds
  readonly options: WorkerOptions
  readonly now: () => number
  readonly tell: (notice: Notice) => void
  readonly start: (own: number, options: WorkerOptions, hear: (notice: Notice) => void) => Sender
  /** Ends what workers share. */
  readonly onClose?: () => Promise<void> | undefined
}

/** A worker that ends so often in a row without an answer will not do better the next time. */
const MOST_VAIN_STARTS = 2

/** An outcome that is still to be read. */
interface Unread {
  readonly by: PooledWorker
  /** Not all that was paid for it was used: somebody else may have that. */
  readonly isFree: boolean
}

/**
 * Several workers as one sender: each has whole registrable domains, and all keep to the same bounds. One that ends is
 * replaced; what it had sent is answered as failed, once.
 */
export class WorkerPool implements Sender {
  readonly #pool: PoolOptions
  readonly #owners: DomainOwners
  readonly #workers: PooledWorker[]
  readonly #unread = new Turns<Unread>()
  #posts = 0
  #reads = 0
  /** How often this was told something. */
  #told = 0
  #sites: readonly SiteRule[] | undefined
  #endsAt: number | undefined
  #isClosing = false
  #error: Error | undefined

  constructor(pool: PoolOptions) {
    this.#pool = pool
    const { workers } = pool.bounds
    this.#owners = new DomainOwners(workers)
    this.#workers = Array.from({ length: workers }, (_, own) =>
      this.#start(own, memoryOf(own, pool.options, this.#owners)),
    )
  }

  post({ requests }: WorkerBoard, reads: number): void {
    this.#posts++
    this.#told++
    this.#countReads(reads)
    const parts = this.#divided(requests)
    for (const [own, worker] of this.#workers.entries()) worker.post(parts[own], this.#posts)
  }

  read(reads: number): void {
    this.#told++
    const { readers, isRaised } = this.#countReads(reads)
    const isForAll = isRaised || this.#pool.bounds.ledger.isLimited
    for (const worker of this.#workers) if (isForAll || readers.has(worker)) worker.tellReads()
    this.#tellIfIdle()
  }

  useSites(rules: readonly SiteRule[]): void {
    this.#sites = rules
    for (const { sender } of this.#workers) sender.useSites(rules)
  }

  endWithin(seconds: number): void {
    this.#endsAt = this.#pool.now() + seconds
    for (const { sender } of this.#workers) sender.endWithin(seconds)
  }

  async memory(robotsSince?: number): Promise<FetcherMemory> {
    if (this.#error) throw this.#error
    const memories = this.#workers.map((worker) => worker.memory(robotsSince))
    return mergedMemory(await Promise.all(memories), this.#owners)
  }

  explainRobots(url: string): Promise<RobotsExplanation | undefined> {
    return this.#workers[this.#owners.ownerOf(hostOf(url))].sender.explainRobots(url)
  }

  async close(): Promise<void> {
    this.#isClosing = true
    await Promise.all([
      ...this.#workers.map(({ sender }) => sender.close()),
      this.#pool.onClose?.(),
    ])
  }

  #start(own: number, memory: Partial<FetcherMemory>, more?: Partial<WorkerOptions>): PooledWorker {
    const options = { ...this.#pool.options, ...memory, ...more }
    const start = (hear: (notice: Notice) => void) => this.#pool.start(own, options, hear)
    const worker = new PooledWorker(memory, start, (notice) => this.#hear(worker, own, notice))
    return worker
  }

  /** Each worker's part of a board, with as much of what may be sent at once as it has of the hosts. */
  #divided(requests: readonly FetchRequest[]): WorkerBoard[] {
    const { concurrency } = this.#pool.options
    if (this.#workers.length === 1) return [{ requests, concurrency }]
    const hosts = new Map<string, FetchRequest[]>()
    for (const request of requests) {
      const host = hostOf(request.url)
      const others = hosts.get(host)
      if (others) others.push(request)
      else hosts.set(host, [request])
    }
    const parts = this.#workers.map(() => ({ requests: [] as FetchRequest[], hosts: 0 }))
    for (const [host, waiting] of hosts) {
      const part = parts[this.#owners.ownerOf(host)]
      part.hosts++
      for (const request of waiting) part.requests.push(request)
    }
    return parts.map((part) => ({
      requests: part.requests,
      concurrency: Math.max(1, Math.floor((concurrency * part.hosts) / Math.max(1, hosts.size))),
    }))
  }

  /** Tells whose outcomes were read, and whether there may be more sends than before. */
  #countReads(reads: number): { readers: Set<PooledWorker>; isRaised: boolean } {
    const readers = new Set<PooledWorker>()
    let isRaised = false
    for (; this.#reads < reads; this.#reads++) {
      const { by, isFree } = this.#unread.take()!
      by.reads++
      readers.add(by)
      isRaised ||= isFree
    }
    return { readers, isRaised }
  }

  #hear(worker: PooledWorker, own: number, notice: Notice): void {
    switch (notice.kind) {
      case 'posted':
        this.#tellPosted()
        break
      case 'sent':
        this.#pool.tell(notice)
        break
      case 'answered':
        this.#pass(notice.outcome, worker, worker.paidFor(notice.outcome.id))
        break
      case 'idle':
        this.#tellIfIdle()
        break
      case 'broken':
        this.#end(new Error(notice.reason))
        break
      case 'ended':
        if (!this.#isClosing) this.#replace(own, notice.error)
    }
  }

  #pass(outcome: FetchOutcome, by: PooledWorker, paid: number): void {
    this.#unread.push({ by, isFree: costOf(outcome) < paid })
    this.#pool.tell({ kind: 'answered', outcome })
  }

  #tellPosted(): void {
    const posts = Math.min(...this.#workers.map((worker) => worker.postsKnown))
    if (posts > 0) this.#pool.tell({ kind: 'posted', posts })
  }

  #tellIfIdle(): void {
    if (!this.#workers.every((worker) => worker.isIdle)) return
    const isOutOfBytes = this.#workers.some((worker) => worker.isOutOfBytes)
    this.#pool.tell({ kind: 'idle', told: this.#told, isOutOfBytes })
  }

  #end(error: Error): void {
    this.#error = error
    this.#pool.tell({ kind: 'ended', error })
  }

  #replace(own: number, error: Error): void {
    const ended = this.#workers[own]
    const vainStarts = ended.hasAnswered ? 0 : ended.vainStarts + 1
    if (vainStarts >= MOST_VAIN_STARTS) {
      this.#end(error)
      return
    }
    const { addresses, ledger } = this.#pool.bounds
    addresses.forget(own)
    const lost = ended.takeUnanswered()
    ledger.forgetReservations(lost.length)
    const worker = this.#start(own, ended.lastMemory(this.#pool.now()), {
      restFirst: true,
      ...(this.#sites && { sites: this.#sites }),
    })
    worker.vainStarts = vainStarts
    this.#workers[own] = worker
    if (this.#endsAt !== undefined) worker.sender.endWithin(this.#endsAt - this.#pool.now())
    if (this.#posts > 0) worker.post(ended.boardLeft(), this.#posts)
    const at = this.#pool.now()
    for (const { id, url, cost } of lost) {
      const reason = 'the worker that asked for it has ended'
      this.#pass({ id, url, at, ms: 0, kind: 'failed', reason, sent: true }, ended, cost)
    }
  }
}
