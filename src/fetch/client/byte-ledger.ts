/** While little is left, no single request may reserve more than a quarter of it … */
const LARGEST_SHARE = 1 / 4
/** … unless that were less than nearly every page needs. */
const COMMON_PAGE_BYTES = 1 << 20

/**
 * Keeps requests from receiving more bytes than are left. Each reserves its limit before it is sent;
 * what it received stays held until the consumer has taken the outcome and counted it himself.
 */
export class ByteLedger {
  /** As the consumer has counted. */
  #bytesLeft: number
  /** Reserved by requests under way, or received and not yet counted by the consumer. */
  #held = 0
  /** Requests under way. */
  #reservations = 0
  /** Received for what no outcome tells of: robots.txt, and answers that broke off. */
  #untold = 0

  constructor(bytesLeft = Number.POSITIVE_INFINITY) {
    this.#bytesLeft = bytesLeft
  }

  /** Bytes that are neither spent nor promised. */
  get free(): number {
    return Math.max(0, Math.floor(this.#bytesLeft - this.#held - this.#untold))
  }

  /** True when a request is worth sending: with too little left, wait for what others may give back. */
  get canReserve(): boolean {
    return this.free >= COMMON_PAGE_BYTES || (this.#reservations === 0 && this.free > 0)
  }

  /** Gives the limit a request must keep to, at most `most`. */
  reserve(most: number): number {
    const { free } = this
    const share = Math.max(free * LARGEST_SHARE, COMMON_PAGE_BYTES)
    const granted = Math.floor(Math.min(most, share, free))
    this.#held += granted
    this.#reservations++
    return granted
  }

  /** The request has ended, and its outcome tells of `told` of the bytes it received. */
  receive(granted: number, received: number, told: number): void {
    this.#reservations--
    this.#held += told - granted
    this.#untold += received - told
  }

  /** The consumer has counted what outcomes told of, and so much is left. */
  counted(told: number, bytesLeft: number): void {
    this.#held -= told
    this.#bytesLeft = bytesLeft
  }
}
