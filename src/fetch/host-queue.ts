import type { FetchRequest } from '#crawl/ports.ts'

/** A request on its way, and whose it is. */
export interface Waiting<Owner> {
  readonly request: FetchRequest
  readonly owner: Owner
}

/**
 * What one host has before it and behind it. A host is in at most one of three places: in the row of
 * hosts that may send (`inRow`), waiting for `timer`, or neither (nothing to send, or all its
 * connections busy).
 */
export class HostQueue<Owner> {
  readonly name: string
  /** When the next request may start, on `performance.now()`'s clock. */
  readyAt = 0
  /** Requests under way. */
  active = 0
  /** Connections that failed in a row. */
  connectFailures = 0
  inRow = false
  timer: NodeJS.Timeout | undefined
  /** Ascending once sorted, so that the best is at the end. */
  #waiting: Waiting<Owner>[] = []
  #sorted = true

  constructor(name: string) {
    this.name = name
  }

  get size(): number {
    return this.#waiting.length
  }

  add(entry: Waiting<Owner>): void {
    this.#waiting.push(entry)
    this.#sorted = false
  }

  /** Removes and gives the request with the largest priority; of equals, the lowest id. */
  takeBest(): Waiting<Owner> | undefined {
    if (!this.#sorted) this.#waiting.sort(worstFirst)
    this.#sorted = true
    return this.#waiting.pop()
  }

  /** Removes and counts one owner's requests. */
  drop(owner: Owner): number {
    const before = this.#waiting.length
    this.#waiting = this.#waiting.filter((entry) => entry.owner !== owner)
    return before - this.#waiting.length
  }

  /** Removes and gives all requests. */
  takeAll(): Waiting<Owner>[] {
    const all = this.#waiting
    this.#waiting = []
    return all
  }
}

function worstFirst<Owner>(a: Waiting<Owner>, b: Waiting<Owner>): number {
  return a.request.priority - b.request.priority || b.request.id - a.request.id
}
