import type { FetchRequest } from '#crawl/ports.ts'

/** A request that waits to be sent, and whose it is. */
export interface Waiting<Owner> {
  readonly request: FetchRequest
  readonly owner: Owner
}

/**
 * The requests that wait for one host. A host is in at most one place: in the row of hosts that may
 * send, waiting for its `timer`, waiting for its address, parked until a shared place is free, held up
 * by its robots.txt, or none of these (nothing to send, or all its own places taken).
 */
export class HostQueue<Owner> {
  readonly name: string
  /** In the row, parked, held up, or waiting for its address. */
  isPlaced = false
  /** Its address is known, or was looked for: without one, only its name can be spared. */
  isLocated: boolean
  /** In the row because the group it was parked for got a free place. */
  wokenFor: string | undefined
  timer: NodeJS.Timeout | undefined
  /** Ascending once sorted, so that the best is at the end. */
  #waiting: Waiting<Owner>[] = []
  #sorted = true

  constructor(name: string, isLocated: boolean) {
    this.name = name
    this.isLocated = isLocated
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

  /** Puts back what `takeBest` gave last. */
  putBack(entry: Waiting<Owner>): void {
    this.#waiting.push(entry)
  }

  has(owner: Owner): boolean {
    return this.#waiting.some((entry) => entry.owner === owner)
  }

  /** Removes and counts one owner's requests. */
  drop(owner: Owner): number {
    const before = this.#waiting.length
    this.#waiting = this.#waiting.filter((entry) => entry.owner !== owner)
    return before - this.#waiting.length
  }

  /** Removes and gives those that fit. */
  takeWhere(fits: (request: FetchRequest) => boolean): Waiting<Owner>[] {
    const taken = this.#waiting.filter(({ request }) => fits(request))
    if (taken.length > 0) this.#waiting = this.#waiting.filter(({ request }) => !fits(request))
    return taken
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
