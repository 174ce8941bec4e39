import type { FetchOutcome } from '#learn/entries/outcome.ts'

/** Hands outcomes from the sockets, which push, to one consumer, who pulls. */
export class OutcomeChannel {
  #waiting: FetchOutcome[] = []
  /** Position in `#waiting` of the next to be read. */
  #next = 0
  #wake: (() => void) | undefined
  #ended = false

  push(outcome: FetchOutcome): void {
    this.#waiting.push(outcome)
    this.#wake?.()
  }

  /** Outcomes pushed and not read. */
  get unread(): number {
    return this.#waiting.length - this.#next
  }

  end(): void {
    this.#ended = true
    this.#wake?.()
  }

  /** Removes and gives what was pushed and not read: the consumer has left. */
  takeUnread(): FetchOutcome[] {
    const unread = this.#waiting.slice(this.#next)
    this.#waiting = []
    this.#next = 0
    return unread
  }

  /**
   * Every outcome pushed so far and from now on, until `end`. Tells `onRead` of each that the consumer
   * takes, and `onDone` when he comes back for the next, and so has dealt with it.
   */
  async *read(
    onRead: () => void,
    onDone: (outcome: FetchOutcome) => void,
  ): AsyncGenerator<FetchOutcome, void, undefined> {
    while (true) {
      while (this.#next < this.#waiting.length) {
        const outcome = this.#waiting[this.#next++]
        if (this.#next === this.#waiting.length) {
          this.#waiting = []
          this.#next = 0
        }
        onRead()
        try {
          yield outcome
        } finally {
          onDone(outcome)
        }
      }
      if (this.#ended) return
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
  }
}
