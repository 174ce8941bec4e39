import { type Board, EMPTY_BOARD, type Fetcher } from '#crawl/ports.ts'
import { costOf } from '#learn/entries/outcome.ts'

export interface SendSteps {
  /** So many may be sent, of a board that allows more, until the next step is noted. */
  readonly size: number
  /** Makes durable that so many fetches may have been sent that are not paid for yet. */
  readonly note: (unpaid: number) => void
}

/**
 * Allows the sends of a board in steps, each noted before it may be used: should a kill come, no more is unknown than
 * a step and what was under way.
 */
export function inSteps(fetcher: Fetcher, { size, note }: SendSteps): Fetcher {
  let board = EMPTY_BOARD
  /** Of the board: what came back, what of that was paid for, and what may be sent by now. */
  const answered = new Set<number>()
  let [paid, allowed, inFlightBefore] = [0, 0, 0]
  const sent = () => paid + fetcher.inFlight().length - inFlightBefore
  const allowMore = () => {
    const sentSoFar = sent()
    allowed = Math.min(board.sends, sentSoFar + size)
    const sends = allowed - sentSoFar
    if (sends > 0) note(fetcher.inFlight().length + sends)
    fetcher.post({ requests: board.requests.filter(({ id }) => !answered.has(id)), sends })
  }
  return {
    post(next: Board) {
      board = next
      answered.clear()
      ;[paid, inFlightBefore] = [0, fetcher.inFlight().length]
      allowMore()
    },
    async next(until, untilSent) {
      for (;;) {
        const isLastStep = allowed >= board.sends
        const outcome = await fetcher.next(until, isLastStep ? untilSent : 0)
        if (outcome) {
          answered.add(outcome.id)
          paid += costOf(outcome)
          return outcome
        }
        // Time is up, or no host may be asked now.
        if (isLastStep || sent() < allowed) return undefined
        allowMore()
      }
    },
    inForce: async () => fetcher.inForce?.(),
    inFlight: () => fetcher.inFlight(),
    paceOf: (host) => fetcher.paceOf?.(host) ?? 0,
    isOutOfBytes: () => fetcher.isOutOfBytes?.() ?? false,
    endWithin: (seconds) => fetcher.endWithin?.(seconds),
    close: () => fetcher.close(),
  }
}
