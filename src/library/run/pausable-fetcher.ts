import { type Board, EMPTY_BOARD, type Fetcher, inFlightCost } from '#crawl/ports.ts'

/** A fetcher that can be told to rest. */
export interface PausableFetcher extends Fetcher {
  pause(): void
  resume(): void
  readonly paused: boolean
}

/**
 * Lets a fetcher rest: what is under way is still answered, then nothing comes, so that the cycle is committed. A
 * board that is posted meanwhile waits for `resume`. `onPost` hears of every board: then a plan is ready.
 */
export function pausable(fetcher: Fetcher, onPost: () => void = () => {}): PausableFetcher {
  /** Set while paused; resolves when that is over, or nothing more is to be sent. */
  let rest: PromiseWithResolvers<void> | undefined
  let held: Board | undefined

  return {
    post(board) {
      onPost()
      if (rest) held = board
      else fetcher.post(board)
      if (board.sends === 0) rest?.resolve()
    },
    inForce: async () => fetcher.inForce?.(),
    async next(until, untilSent) {
      if (held) await rest?.promise
      return fetcher.next(until, untilSent)
    },
    inFlight: () => fetcher.inFlight(),
    inFlightCost: () => inFlightCost(fetcher),
    paceOf: (host) => fetcher.paceOf?.(host) ?? 0,
    lost: () => fetcher.lost?.() ?? 0,
    isOutOfBytes: () => fetcher.isOutOfBytes?.() ?? false,
    endWithin: (seconds) => fetcher.endWithin?.(seconds),
    close: () => fetcher.close(),
    pause() {
      rest ??= Promise.withResolvers<void>()
      fetcher.post(EMPTY_BOARD)
    },
    resume() {
      if (held) fetcher.post(held)
      held = undefined
      rest?.resolve()
      rest = undefined
    },
    get paused() {
      return rest !== undefined
    },
  }
}
