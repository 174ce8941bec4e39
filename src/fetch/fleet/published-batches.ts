import type { BatchName, BatchState } from '#crawl/leases/leases.ts'
import type { SegmentOutcome } from './segment.ts'

interface PublishedBatch extends BatchName {
  readonly domain: string
  /** Numbers of the URLs, by position. */
  readonly ids: readonly number[]
  state: BatchState['state']
  done: readonly boolean[]
  readonly read: boolean[]
}

interface OpenBatch extends BatchName {
  readonly domain: string
  readonly ids: readonly number[]
  readonly done: readonly boolean[]
}

/** What a planner knows of the batches that it published: which of their requests are under way. */
export class PublishedBatches {
  readonly #batches = new Map<string, PublishedBatch>()
  /** URLs of which something came before this planner began, and is not read. */
  readonly #waiting = new Set<number>()
  /** Ids of what is under way, and batches that are leased by domain; made when they are asked for. */
  #ids: Set<number> | undefined
  #leased: Map<string, PublishedBatch[]> | undefined

  /** What a planner before this one has left: what is leased, and what came and is not read. */
  takeUp(leases: readonly OpenBatch[], waiting: ReadonlySet<number>): void {
    for (const { domain, ids, done, ...name } of leases) {
      this.add(name, domain, ids, 'leased')
      // It is among what waits, or was read before.
      for (const [position, isDone] of done.entries())
        if (isDone) this.#batches.get(keyOf(name))!.read[position] = true
    }
    for (const id of waiting) this.#waiting.add(id)
    this.#forget()
  }

  add(name: BatchName, domain: string, ids: readonly number[], state: BatchState['state']): void {
    const { epoch, rank } = name
    const none = ids.map(() => false)
    const batch = { epoch, rank, domain, ids, state, done: none, read: [...none] }
    this.#batches.set(keyOf(name), batch)
    this.#forget()
  }

  /** Plans of which something may still come. */
  get epochs(): number[] {
    return [...new Set(Array.from(this.#batches.values(), ({ epoch }) => epoch))]
  }

  get hasQueued(): boolean {
    return this.#batches.values().some(({ state }) => state === 'queued')
  }

  /** How many requests somebody has whose domain it is, and may still send. */
  leftOf(domain: string): number {
    this.#leased ??= Map.groupBy(
      [...this.#batches.values()].filter(isLeased),
      (batch) => batch.domain,
    )
    const batches = this.#leased.get(domain) ?? []
    const leftIn = ({ read, done }: PublishedBatch) =>
      read.filter((isRead, i) => !isRead && !done[i]).length
    return batches.reduce((sum, batch) => sum + leftIn(batch), 0)
  }

  /**
   * Takes in what became of them. If what was queued is withdrawn, only those that are told of are left. Of a lease that
   * was lost before anything was opened nothing is told; where `isOver`, nobody can lease it again.
   */
  update(
    states: readonly BatchState[],
    isWithdrawn: boolean,
    isOver: (epoch: number) => boolean,
  ): void {
    for (const batch of this.#batches.values())
      if (batch.state === 'queued' ? isWithdrawn : isOver(batch.epoch)) batch.state = 'ended'
    for (const { state, done, ...name } of states) {
      const batch = this.#batches.get(keyOf(name))
      if (batch) Object.assign(batch, { state, done })
    }
    for (const [key, batch] of this.#batches)
      if (batch.state === 'ended' && batch.done.every((isDone, i) => !isDone || batch.read[i]))
        this.#batches.delete(key)
    this.#forget()
  }

  /** The planner has read what came of a request, or will never. */
  read({ position, outcome, ...name }: SegmentOutcome): void {
    if (this.#waiting.delete(outcome.id)) this.#ids?.delete(outcome.id)
    const batch = this.#batches.get(keyOf(name))
    if (!batch) return
    batch.read[position] = true
    this.#ids?.delete(batch.ids[position])
  }

  /** Nothing more will come of what is done and not read; gives how much that is. */
  giveUp(): number {
    let given = this.#waiting.size
    this.#waiting.clear()
    for (const { done, read } of this.#batches.values())
      for (const [position, isDone] of done.entries())
        if (isDone && !read[position]) {
          read[position] = true
          given++
        }
    this.#forget()
    return given
  }

  /** URLs that may have been sent and were not read: of what is leased all, else what was done. */
  underWay(): ReadonlySet<number> {
    if (this.#ids) return this.#ids
    this.#ids = new Set(this.#waiting)
    for (const batch of this.#batches.values())
      for (const [position, id] of batch.ids.entries())
        if (!batch.read[position] && (isLeased(batch) || batch.done[position])) this.#ids.add(id)
    return this.#ids
  }

  #forget(): void {
    this.#ids = undefined
    this.#leased = undefined
  }
}

function isLeased({ state }: PublishedBatch): boolean {
  return state === 'leased'
}

function keyOf({ epoch, rank }: BatchName): string {
  return `${epoch}/${rank}`
}
