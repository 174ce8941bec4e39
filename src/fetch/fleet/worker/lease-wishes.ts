import type { Lease } from '#crawl/leases/leases.ts'
import * as times from './fleet-worker-times.ts'

const NONE: ReadonlyMap<string, number> = new Map()

export type Wish = { readonly most: number; readonly ahead: ReadonlyMap<string, number> }

/** When a worker wants more leases, and where in the plan it looks for them. */
export class LeaseWishes {
  #fromRank = 0
  /** The latest plan that is known of, and the one that had nothing more for this worker. */
  #epoch = -1
  #emptyEpoch = -1
  /** Domains of which that plan had no next batch. */
  #emptyAhead: ReadonlySet<string> = new Set()
  #askAt = Number.NEGATIVE_INFINITY
  #idleSeconds = times.IDLE_SECONDS
  /** It had all that it asked for last. */
  #hadAll = false

  /** Whoever has leases asks with its reports, unless there is probably more for it right now. */
  isUrgent(now: number, holds: boolean): boolean {
    return this.#isDue(now) && (!holds || this.#hadAll)
  }

  #isDue(now: number): boolean {
    return now >= this.#askAt
  }

  /** What it would lease now, and of which domains the next batch; something ends with the report that asks for it, or nothing does. */
  wish(
    concurrency: number,
    held: number,
    now: number,
    { ending = 0, ahead = NONE }: { ending?: number; ahead?: typeof NONE } = {},
  ) {
    // Others can lease nothing where it has a place: there it may have some more than elsewhere.
    const onlyHere = held - ending >= concurrency
    const room = (onlyHere ? times.MOST_HERE * concurrency : concurrency) - held + ending
    if (room <= 0 && ahead.size === 0) return undefined
    // Where something ends there may be something else by now.
    const looksAgain =
      ending > 0 || this.#isDue(now) || !ahead.keys().every((it) => this.#emptyAhead.has(it))
    const newerThan = looksAgain ? -1 : this.#emptyEpoch
    const most = Math.min(Math.max(0, room), Math.max(ending, times.ASK_AT_ONCE)) + ahead.size
    const openSeconds = times.OPEN_SECONDS
    return { most, fromRank: this.#fromRank, openSeconds, newerThan, onlyHere, ahead }
  }

  /** A report told of the latest plan, and asked for nothing. */
  heard(epoch: number, now: number): void {
    this.#epoch = epoch
    if (epoch > this.#emptyEpoch) this.#askAt = now
  }

  /** That came of a wish; `holds`: it has some by now. */
  took(leases: readonly Lease[], { most, ahead }: Wish, askedAt: number, holds: boolean): void {
    this.#hadAll = leases.length >= most
    this.#fromRank = this.#hadAll ? leases.at(-1)!.rank + 1 : 0
    if (!this.#hadAll) this.#foundAll(new Set(ahead.keys()))
    const againSeconds = holds ? times.ASK_AGAIN_SECONDS : this.#idleSeconds
    this.#idleSeconds = holds
      ? times.IDLE_SECONDS
      : Math.min(2 * this.#idleSeconds, times.LONGEST_IDLE_SECONDS)
    this.#askAt = askedAt + (this.#hadAll ? times.ASK_SECONDS : againSeconds)
  }

  #foundAll(ahead: ReadonlySet<string>): void {
    this.#emptyAhead = this.#emptyEpoch === this.#epoch ? this.#emptyAhead.union(ahead) : ahead
    this.#emptyEpoch = this.#epoch
  }
}
