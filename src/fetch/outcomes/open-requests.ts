import { costOf, type FetchOutcome } from '#learn/entries/outcome.ts'
import { bytesOf } from '../client/web-client.ts'
import { Turns } from '../manners/turns.ts'

/** Beyond these nothing more is sent until some are read: pages would pile up. */
const MOST_UNREAD = 4_096
const MOST_UNREAD_BYTES = 64 << 20

/** What was sent or answered and not read yet, and how much more may be sent. */
export class OpenRequests {
  /** So many may still be sent. */
  sendsLeft = 0
  /** Sent, and their outcomes not read. */
  readonly #sent = new Set<number>()
  /** Answered, sent or not. */
  readonly #answered = new Set<number>()
  readonly #unread = new Turns<FetchOutcome>()
  #unreadBytes = 0

  /** Ids of the requests sent whose outcomes are still to be read. */
  get sent(): readonly number[] {
    return [...this.#sent]
  }

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

  depart(id: number): void {
    this.sendsLeft--
    this.#sent.add(id)
  }

  answer(outcome: FetchOutcome): void {
    this.#answered.add(outcome.id)
    this.#unread.push(outcome)
    this.#unreadBytes += weightOf(outcome)
  }

  /** Removes and gives the oldest outcome; a request that cost nothing after all may be sent in its place. */
  take(): FetchOutcome | undefined {
    const outcome = this.#unread.take()
    if (!outcome) return undefined
    this.#unreadBytes -= weightOf(outcome)
    this.#answered.delete(outcome.id)
    if (this.#sent.delete(outcome.id) && costOf(outcome) === 0) this.sendsLeft++
    return outcome
  }
}

/** About how many bytes an outcome keeps in memory. */
function weightOf(outcome: FetchOutcome): number {
  const textBytes = outcome.kind === 'page' ? outcome.page.text.length : 0
  const bodies = [outcome.exchange, ...(outcome.robots ?? []).map(({ exchange }) => exchange)]
  return bodies.reduce((sum, each) => sum + (each?.body.length ?? 0), bytesOf(outcome) + textBytes)
}
