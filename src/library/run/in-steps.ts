import { type Board, EMPTY_BOARD, type Fetcher, handedOn, inFlightCost } from '#crawl/ports.ts'
import { costOf } from '#learn/entries/outcome.ts'

export interface SendSteps {
  /** So many may be under way at once. */
  readonly size: number
  /** Makes durable that so many fetches may have been sent that are not paid for yet. */
  readonly note: (unpaid: number) => void
}

/**
 * Allows the sends of a board in steps, each noted before it may be used: should a kill come, no more is unknown than
 * one step. The next is allowed when half of it was answered.
 */
export function inSteps(fetcher: Fetcher, { size, note }: SendSteps): Fetcher {
  let board = EMPTY_BOARD
  /** Of the board: what came back, what of that was paid for, and what may be sent by now. */
  const answered = new Set<number>()
  let [paid, allowed, inFlightBefore] = [0, 0, 0]
  const sent = () => paid + inFlightCost(fetcher) - inFlightBefore
  const mayAllowMore = () => inFlightCost(fetcher) <= size / 2
  const allowMore = () => {
    const [sentSoFar, inFlight] = [sent(), inFlightCost(fetcher)]
    const sends = Math.max(0, Math.min(board.sends - sentSoFar, size - inFlight))
    allowed = sentSoFar + sends
    if (sends > 0) note(inFlight + sends)
    fetcher.post({ requests: board.requests.filter(({ id }) => !answered.has(id)), sends })
  }
  return {
    ...handedOn(fetcher),
    post(next: Board) {
      board = next
      answered.clear()
      ;[paid, inFlightBefore] = [0, inFlightCost(fetcher)]
      allowMore()
    },
    async next(until, untilSent) {
      for (;;) {
        const isLastStep = allowed >= board.sends
        const untilStep = mayAllowMore() ? 0 : undefined
        const outcome = await fetcher.next(until, isLastStep ? untilSent : untilStep)
        if (outcome) {
          answered.add(outcome.id)
          paid += costOf(outcome)
          return outcome
        }
        // Time is up, or no host may be asked now.
        if (isLastStep || sent() < allowed || untilStep === undefined) return undefined
        if (mayAllowMore()) allowMore()
      }
    },
  }
}
