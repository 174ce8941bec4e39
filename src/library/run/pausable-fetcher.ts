import { type Board, EMPTY_BOARD, type Fetcher, handedOn } from '#crawl/ports.ts'

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
    ...handedOn(fetcher),
    post(board) {
      onPost()
      if (rest) held = board
      else fetcher.post(board)
      if (board.sends === 0) rest?.resolve()
    },
    async next(until, untilSent) {
      if (held) await rest?.promise
      return fetcher.next(until, untilSent)
    },
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
