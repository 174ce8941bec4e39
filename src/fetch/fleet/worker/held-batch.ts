import type { Lease, LeaseReport } from '#crawl/leases/leases.ts'
import type { FetchRequest } from '#crawl/ports.ts'
import { costOf, type FetchOutcome } from '#learn/entries/outcome.ts'
import { unpackedBatch } from '../batch-payload.ts'
import { OPEN_SECONDS } from './fleet-worker-times.ts'

/** A domain is let send so many at least; twice as many whenever it ran out of them before the next report. */
const SMALLEST_WINDOW = 2
const LARGEST_WINDOW = 64
/** No batch has so many requests. */
const MOST_OF_BATCH = 1_000

/** A batch that a worker has leased: which of its requests may be sent, are answered, and are reported. */
export class HeldBatch {
  readonly lease: Lease
  readonly requests: readonly FetchRequest[]
  readonly memory: ReturnType<typeof unpackedBatch>['memory']
  readonly #positions: ReadonlyMap<number, number>
  /** By position; by whomever. */
  readonly #answered: boolean[]
  /** Of this lease: opened, and answered. */
  #granted: number
  #answers = 0
  #window: number
  /** It asked for more and got nothing: the batch is over, whatever is left of it. */
  #isRefused = false
  /** It goes back, as its host is where the worker has no place. */
  #leavesFor: { readonly address: string; readonly unsent: number } | undefined

  constructor(lease: Lease) {
    const { requests, memory } = unpackedBatch(lease.payload)
    this.lease = lease
    // Whoever had the domain last knows more than the planner did.
    const latest = lease.hosts === '' ? [] : JSON.parse(lease.hosts)
    this.memory = { ...memory, hostStates: [...(memory.hostStates ?? []), ...latest] }
    // Of two batches of a domain, the one that was planned first comes first.
    const before = lease.epoch * MOST_OF_BATCH
    this.requests = requests.map((request, i) => ({ ...request, priority: -before - i }))
    this.#positions = new Map(requests.map(({ id }, position) => [id, position]))
    this.#answered = [...lease.done]
    this.#granted = lease.granted
    // One that was leased ahead is let send little at first.
    const usual = lease.restSeconds > 0 ? Math.ceil(OPEN_SECONDS / lease.restSeconds) : 0
    this.#window = Math.max(SMALLEST_WINDOW, Math.min(usual, LARGEST_WINDOW), lease.granted)
  }

  /** What may be sent: as many of the best that are not answered as were opened and not answered. */
  get sendable(): FetchRequest[] {
    if (this.#leavesFor) return []
    const most = this.#granted - this.#answers
    const open: FetchRequest[] = []
    for (let position = 0; open.length < most && position < this.requests.length; position++)
      if (!this.#answered[position]) open.push(this.requests[position])
    return open
  }

  /** What was opened and is not sent may be given back by who leaves. */
  unsent(isUnderWay: (id: number) => boolean): number {
    return this.sendable.filter(({ id }) => !isUnderWay(id)).length
  }

  /** From now on nothing of it is sent, and the next report gives it back. Nothing of it may be under way. */
  leaveFor(address: string): void {
    this.#leavesFor ??= { address, unsent: this.sendable.length }
  }

  get leavesFor(): { readonly address: string; readonly unsent: number } | undefined {
    return this.#leavesFor
  }

  /** All that was opened is answered, though more is to be sent. */
  get isDry(): boolean {
    return this.#granted === this.#answers && !this.isOver
  }

  /** Nothing more will come of it. */
  get isOver(): boolean {
    if (this.#granted > this.#answers) return false
    return this.#isRefused || this.#answered.every((isAnswered) => isAnswered)
  }

  /** Notes an outcome; gives its position. */
  answer(outcome: FetchOutcome): { position: number; isFree: boolean } {
    const position = this.#positions.get(outcome.id)!
    this.#answered[position] = true
    this.#answers++
    return { position, isFree: costOf(outcome) === 0 }
  }

  /** How many more it wants to be let send with the next report. */
  ask(): number {
    if (this.isDry && this.#granted > 0) this.#window = Math.min(2 * this.#window, LARGEST_WINDOW)
    const underWay = this.#granted - this.#answers
    return Math.max(0, Math.min(this.#window, this.left) - underWay)
  }

  /** What is not answered. */
  get left(): number {
    return this.#answered.filter((isAnswered) => !isAnswered).length
  }

  grant(granted: number, wanted: number): void {
    this.#granted += granted
    if (wanted > 0 && granted === 0 && this.#granted === this.#answers) this.#isRefused = true
  }

  report(done: readonly number[], free: readonly number[]): LeaseReport {
    const { epoch, rank, token } = this.lease
    return { epoch, rank, token, done, free, open: 0 }
  }
}
