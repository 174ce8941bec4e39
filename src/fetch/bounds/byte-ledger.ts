/** While little is left, no single request may reserve more than a quarter of it … */
const LARGEST_SHARE = 1 / 4
/** … unless that were less than nearly every page needs. */
const COMMON_PAGE_BYTES = 1 << 20

const FREE = 0
const RESERVATIONS = 1

/**
 * Keeps the requests of all workers from receiving more bytes than are left. Each reserves its limit before it is
 * sent, and gives back what it did not receive.
 */
export class ByteLedger {
  /** Bytes neither received nor reserved, and how many requests have reserved some; shared by all threads that send. */
  readonly #counts: BigInt64Array
  readonly isLimited: boolean
  /** As the consumer has counted. */
  #bytesLeft: number

  /** Who opens what others share says nothing of bytes: they are counted there already. */
  constructor(bytesLeft?: number, shared?: BigInt64Array, isLimited = bytesLeft !== undefined) {
    this.#counts = shared ?? new BigInt64Array(2)
    this.isLimited = isLimited
    this.#bytesLeft = Math.floor(bytesLeft ?? 0)
    if (bytesLeft !== undefined) Atomics.store(this.#counts, FREE, BigInt(this.#bytesLeft))
  }

  /** Bytes that are neither spent nor promised. */
  get free(): number {
    if (!this.isLimited) return Number.POSITIVE_INFINITY
    return Math.max(0, Number(Atomics.load(this.#counts, FREE)))
  }

  /** True when a request is worth sending: with too little left, wait for what others may give back. */
  get canReserve(): boolean {
    const { free } = this
    if (free >= COMMON_PAGE_BYTES) return true
    return free > 0 && Atomics.load(this.#counts, RESERVATIONS) <= 0n
  }

  /** The limit a request must keep to, if it is worth sending: by then another worker may have reserved the rest. */
  reserveForPage(most: number): number | undefined {
    if (!this.isLimited) return most
    const others = Atomics.add(this.#counts, RESERVATIONS, 1n)
    const { free } = this
    if (free >= COMMON_PAGE_BYTES || (free > 0 && others <= 0n)) return this.#grant(most)
    Atomics.sub(this.#counts, RESERVATIONS, 1n)
    return undefined
  }

  /** Gives the limit a request must keep to, at most `most`. */
  reserve(most: number): number {
    if (!this.isLimited) return most
    Atomics.add(this.#counts, RESERVATIONS, 1n)
    return this.#grant(most)
  }

  #grant(most: number): number {
    for (;;) {
      const free = Atomics.load(this.#counts, FREE)
      const bytes = Math.max(0, Number(free))
      const share = Math.max(bytes * LARGEST_SHARE, COMMON_PAGE_BYTES)
      const granted = Math.floor(Math.min(most, share, bytes))
      const left = free - BigInt(granted)
      if (Atomics.compareExchange(this.#counts, FREE, free, left) === free) return granted
    }
  }

  /** The request has ended, and received so many bytes. */
  receive(granted: number, received: number): void {
    if (!this.isLimited) return
    Atomics.add(this.#counts, FREE, BigInt(granted - received))
    Atomics.sub(this.#counts, RESERVATIONS, 1n)
  }

  /** The consumer has counted what outcomes told of, and so much is left: as expected, unless the budget changed. */
  counted(told: number, bytesLeft: number): void {
    if (!this.isLimited) return
    const left = Math.floor(bytesLeft)
    const unforeseen = left - (this.#bytesLeft - told)
    this.#bytesLeft = left
    if (unforeseen !== 0) Atomics.add(this.#counts, FREE, BigInt(unforeseen))
  }

  /** A worker ended amid its requests: what they received nobody knows, so what they reserved stays spent. */
  forgetReservations(requests: number): void {
    if (this.isLimited) Atomics.sub(this.#counts, RESERVATIONS, BigInt(requests))
  }
}
