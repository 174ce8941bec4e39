import type { FetchOutcome } from '#crawl/outcome.ts'

/** Hands outcomes from the sockets, which push, to one consumer, who pulls. */
export class OutcomeChannel {
  readonly #onRead: () => void
  #waiting: FetchOutcome[] = []
  #wake: (() => void) | undefined
  #ended = false
  #closed = false
  #unread = 0

  constructor(onRead: () => void) {
    this.#onRead = onRead
  }

  push(outcome: FetchOutcome): void {
    if (this.#closed) return
    this.#waiting.push(outcome)
    this.#unread++
    this.#wake?.()
  }

  /** Outcomes pushed and not read. */
  get unread(): number {
    return this.#unread
  }

  end(): void {
    this.#ended = true
    this.#wake?.()
  }

  /** The consumer has left: drops what is here and what may still come. */
  close(): void {
    this.#closed = true
    this.#waiting = []
    this.#unread = 0
  }

  /** Every outcome pushed so far and from now on, until `end`. */
  async *read(): AsyncGenerator<FetchOutcome, void, undefined> {
    while (true) {
      const batch = this.#waiting
      this.#waiting = []
      for (const outcome of batch) {
        this.#unread--
        this.#onRead()
        yield outcome
      }
      if (this.#waiting.length > 0) continue
      if (this.#ended) return
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
  }
}
