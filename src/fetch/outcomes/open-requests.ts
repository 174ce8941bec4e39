import { heldBytes } from '#crawl/held-bytes.ts'
import type { FetchOutcome } from '#learn/entries/outcome.ts'
import { Turns } from '../manners/turns.ts'

/** Beyond these nothing more is sent until some are read: pages would pile up. */
const MOST_UNREAD = 4_096
const MOST_UNREAD_BYTES = 8 << 20

/** What is still to be known of an outcome that was handed on: its reader has the rest. */
interface UnreadOutcome {
  readonly id: number
  readonly memoryBytes: number
  readonly onRead?: () => void
}

/** What was sent or answered and not read yet. */
export class OpenRequests {
  /** Outcomes read, from the beginning. */
  reads = 0
  /** Of what may be unread at most, this one's part. */
  readonly #share: number
  /** Sent, and their outcomes not read. */
  readonly #sent = new Set<number>()
  /** Answered, sent or not. */
  readonly #answered = new Set<number>()
  readonly #unread = new Turns<UnreadOutcome>()
  #unreadBytes = 0

  constructor(workers = 1) {
    this.#share = 1 / workers
  }

  /** True when nothing is under way and nothing unread. */
  get isEmpty(): boolean {
    return this.#sent.size === 0 && this.#unread.size === 0
  }

  /** True while the consumer lags so far behind that nothing more is to be sent. */
  get isFull(): boolean {
    return (
      this.#unread.size >= MOST_UNREAD * this.#share ||
      this.#unreadBytes >= MOST_UNREAD_BYTES * this.#share
    )
  }

  has(id: number): boolean {
    return this.#sent.has(id) || this.#answered.has(id)
  }

  depart(id: number): void {
    this.#sent.add(id)
  }

  /** `onRead` is called when the outcome has been read. */
  answer(outcome: FetchOutcome, onRead?: () => void): void {
    const { id } = outcome
    const memoryBytes = memoryBytesOf(outcome)
    this.#answered.add(id)
    this.#unread.push({ id, memoryBytes, onRead })
    this.#unreadBytes += memoryBytes
  }

  /** So many outcomes have been read by now. */
  readUpTo(reads: number): void {
    for (; this.reads < reads; this.reads++) {
      const { id, memoryBytes, onRead } = this.#unread.take()!
      this.#unreadBytes -= memoryBytes
      this.#answered.delete(id)
      this.#sent.delete(id)
      onRead?.()
    }
  }
}

/** About how many bytes an outcome keeps in memory; a body that was kept elsewhere is none of them. */
function memoryBytesOf(outcome: FetchOutcome): number {
  const bodies = [outcome.exchange, ...(outcome.robots ?? []).map(({ exchange }) => exchange)]
  return bodies.reduce((sum, each) => sum + (each?.body.length ?? 0), heldBytes(outcome))
}
