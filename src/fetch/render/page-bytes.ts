/** Of what a page's scripts may be sent, one answer may be such a share. */
const LARGEST_SHARE = 1 / 4

/**
 * Keeps the requests of one page within its bytes, also those under way at the same time: each has reserved its share
 * before it is sent. Who comes when all is promised waits for what others give back.
 */
export class PageBytes {
  readonly #most: number
  #free: number
  #underWay = 0
  readonly #waiting: (() => void)[] = []

  constructor(most: number) {
    this.#most = most
    this.#free = most
  }

  get received(): number {
    return this.#most - this.#free
  }

  /** Bytes for one request, to be given back when it has ended; 0 if there are none left. */
  async reserve(): Promise<number> {
    const share = Math.ceil(this.#most * LARGEST_SHARE)
    while (this.#free < share && this.#underWay > 0)
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    const granted = Math.min(share, this.#free)
    this.#free -= granted
    this.#underWay++
    return granted
  }

  /** The request has ended, and brought so many. */
  receive(granted: number, bytes: number): void {
    this.#free += granted - bytes
    this.#underWay--
    for (const goOn of this.#waiting.splice(0)) goOn()
  }
}
