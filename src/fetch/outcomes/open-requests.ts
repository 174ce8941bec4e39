import { costOf, type FetchOutcome } from '#learn/entries/outcome.ts'
import { bytesOf } from '../client/web-client.ts'
import { Turns } from '../manners/turns.ts'

/** Beyond these nothing more is sent until some are read: pages would pile up. */
const MOST_UNREAD = 4_096
const MOST_UNREAD_BYTES = 64 << 20

/** What is still to be known of an outcome that was handed on: its reader has the rest. */
interface UnreadOutcome {
  readonly id: number
  readonly bytes: number
  readonly memoryBytes: number
  readonly cost: number
  readonly onRead?: () => void
}

/** What was sent or answered and not read yet, and how much more may be sent. */
export class OpenRequests {
  /** So many may still be sent. */
  sendsLeft = 0
  /** Requests sent and outcomes read, from the beginning. */
  departures = 0
  reads = 0
  /** Sent, and their outcomes not read. */
  readonly #sent = new Set<number>()
  /** Answered, sent or not. */
  readonly #answered = new Set<number>()
  readonly #unread = new Turns<UnreadOutcome>()
  #unreadBytes = 0
  /** Of outcomes read that the reader may not have counted yet. */
  #uncountedBytes = 0

  /** True when nothing is under way and nothing unread. */
  get isEmpty(): boolean {
    return this.#sent.size === 0 && this.#unread.size === 0
  }

  /** True while the consumer lags so far behind that nothing more is to be sent. */
  get isFull(): boolean {
    return this.#unread.size >= MOST_UNREAD || this.#unreadBytes >= MOST_UNREAD_BYTES
  }

  has(id: number): boolean {
    return this.#sent.has(id) || this.#answered.has(id)
  }

  /** So many may be sent beside the first `departures`: those since then are among them. */
  allow(sends: number, departures: number): void {
    this.sendsLeft = sends - (this.departures - departures)
  }

  depart(id: number): void {
    this.departures++
    this.sendsLeft--
    this.#sent.add(id)
  }

  /** `onRead` is called when the outcome has been read. */
  answer(outcome: FetchOutcome, onRead?: () => void): void {
    const { id } = outcome
    const memoryBytes = memoryBytesOf(outcome)
    this.#answered.add(id)
    this.#unread.push({ id, bytes: bytesOf(outcome), memoryBytes, cost: costOf(outcome), onRead })
    this.#unreadBytes += memoryBytes
  }

  /** So many outcomes have been read by now. A request that cost nothing after all may be sent in its place. */
  readUpTo(reads: number): void {
    for (; this.reads < reads; this.reads++) {
      const { id, bytes, memoryBytes, cost, onRead } = this.#unread.take()!
      this.#unreadBytes -= memoryBytes
      this.#uncountedBytes += bytes
      this.#answered.delete(id)
      if (this.#sent.delete(id) && cost === 0) this.sendsLeft++
      onRead?.()
    }
  }

  /** The bytes of what was read since the last time. */
  takeUncounted(): number {
    const bytes = this.#uncountedBytes
    this.#uncountedBytes = 0
    return bytes
  }
}

/** About how many bytes an outcome keeps in memory. */
function memoryBytesOf(outcome: FetchOutcome): number {
  const textBytes = outcome.kind === 'page' ? outcome.page.text.length : 0
  const bodies = [outcome.exchange, ...(outcome.robots ?? []).map(({ exchange }) => exchange)]
  return bodies.reduce((sum, each) => sum + (each?.body.length ?? 0), bytesOf(outcome) + textBytes)
}
