import type { FetchOutcome } from '#learn/entries/outcome.ts'
import { costOf } from '#learn/entries/outcome.ts'
import type { Board, Fetcher, FetchRequest } from './ports.ts'

/** A fetcher that answers at once, in the order of the board: for recorded webs, where no time passes. */
export function promptFetcher(
  answer: (request: FetchRequest) => FetchOutcome | Promise<FetchOutcome>,
): Fetcher {
  let waiting: readonly FetchRequest[] = []
  let place = 0
  let sends = 0
  return {
    post(board: Board) {
      waiting = board.requests
      place = 0
      sends = board.sends
    },
    async next() {
      if (sends <= 0 || place >= waiting.length) return undefined
      const outcome = await answer(waiting[place++])
      sends -= costOf(outcome)
      return outcome
    },
    inFlight: () => [],
    async close() {},
  }
}
