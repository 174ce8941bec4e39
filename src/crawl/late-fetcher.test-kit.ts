import type { FetchOutcome } from '#learn/entries/outcome.ts'
import { type Board, EMPTY_BOARD, type Fetcher } from './ports.ts'

/** A fetcher on another thread: it hears of boards late, and is heard of late itself. */
export class LateFetcher implements Fetcher {
  readonly answers: FetchOutcome[] = []
  /** All that was ever sent. */
  readonly sent: number[] = []
  #known: number[] = []
  #board: Board = EMPTY_BOARD
  #left = 0

  /** Sends what it may, so many at most; of this the crawl hears only by and by. */
  send(most: number) {
    const count = Math.min(most, this.#left, this.#board.requests.length)
    const { requests } = this.#board
    this.#board = { requests: requests.slice(count), sends: 0 }
    this.#left -= count
    for (const { id, url } of requests.slice(0, count)) {
      this.sent.push(id)
      this.answers.push({ kind: 'gone', id, url, at: 1, ms: 1, status: 404, bytes: 0 })
    }
  }
  post(board: Board) {
    const knownBefore = this.#known.length
    this.send(1)
    const open = new Set(this.answers.map(({ id }) => id))
    this.#board = { ...board, requests: board.requests.filter(({ id }) => !open.has(id)) }
    this.#left = board.sends - (this.answers.length - knownBefore)
  }
  async inForce() {
    this.hear()
  }
  hear() {
    this.#known = this.answers.map(({ id }) => id)
  }
  async next() {
    this.send(1)
    this.hear()
    const answer = this.answers.shift()
    this.#known.shift()
    return answer
  }
  inFlight() {
    return this.#known
  }
  async close() {}
}
