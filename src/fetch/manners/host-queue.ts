import type { FetchRequest } from '#crawl/ports.ts'

/**
 * The requests that wait for one host. A host is in at most one place: in the row of hosts that may
 * send, waiting for its `timer`, waiting for its address, parked until a shared place is free, held up
 * by its robots.txt, or none of these (nothing to send, or all its own places taken).
 */
export class HostQueue {
  readonly name: string
  /** In the row, parked, held up, or waiting for its address. */
  isPlaced = false
  /** Its address is known, or was looked for: without one, only its name can be spared. */
  isLocated: boolean
  /** In the row because the group it was parked for got a free place. */
  wokenFor: string | undefined
  timer: NodeJS.Timeout | undefined
  /** Ascending once sorted, so that the best is at the end. */
  #waiting: FetchRequest[] = []
  #sorted = true

  constructor(name: string, isLocated: boolean) {
    this.name = name
    this.isLocated = isLocated
  }

  get size(): number {
    return this.#waiting.length
  }

  add(request: FetchRequest): void {
    this.#waiting.push(request)
    this.#sorted = false
  }

  /** Removes and gives the request with the largest priority; of equals, the lowest id. */
  takeBest(): FetchRequest | undefined {
    if (!this.#sorted) this.#waiting.sort(worstFirst)
    this.#sorted = true
    return this.#waiting.pop()
  }

  /** Puts back what `takeBest` gave last. */
  putBack(request: FetchRequest): void {
    this.#waiting.push(request)
  }

  /** Removes and gives those that fit. */
  takeWhere(fits: (request: FetchRequest) => boolean): FetchRequest[] {
    const taken = this.#waiting.filter(fits)
    if (taken.length > 0) this.#waiting = this.#waiting.filter((request) => !fits(request))
    return taken
  }

  /** Removes and gives all requests. */
  takeAll(): FetchRequest[] {
    const all = this.#waiting
    this.#waiting = []
    return all
  }
}

function worstFirst(a: FetchRequest, b: FetchRequest): number {
  return a.priority - b.priority || b.id - a.id
}
