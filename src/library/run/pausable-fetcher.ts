import type { Fetcher, FetchRequest } from '#crawl/ports.ts'
import type { FetchOutcome } from '#learn/entries/outcome.ts'

/** A fetcher that can be told to rest. */
export interface PausableFetcher extends Fetcher {
  pause(): void
  resume(): void
  readonly paused: boolean
}

/**
 * Lets a fetcher rest: what is under way is still answered, then the call ends, so that the cycle is
 * committed; the next call waits for `resume` before it sends anything. `onCall` hears of every call:
 * then a plan is ready.
 */
export function pausable(fetcher: Fetcher, onCall: () => void = () => {}): PausableFetcher {
  /** Set while paused; resolves when that is over. */
  let rest: PromiseWithResolvers<void> | undefined
  let current: AbortController | undefined

  async function* fetchAll(
    requests: readonly FetchRequest[],
    signal: AbortSignal,
  ): AsyncGenerator<FetchOutcome, void, undefined> {
    onCall()
    while (rest && !signal.aborted) await Promise.race([rest.promise, aborted(signal)])
    if (signal.aborted) return
    current = new AbortController()
    try {
      yield* fetcher.fetchAll(requests, AbortSignal.any([signal, current.signal]))
    } finally {
      current = undefined
    }
  }

  return {
    fetchAll,
    inFlight: () => fetcher.inFlight(),
    isOutOfBytes: () => fetcher.isOutOfBytes?.() ?? false,
    endWithin: (seconds) => fetcher.endWithin?.(seconds),
    close: () => fetcher.close(),
    pause() {
      rest ??= Promise.withResolvers<void>()
      current?.abort()
    },
    resume() {
      rest?.resolve()
      rest = undefined
    },
    get paused() {
      return rest !== undefined
    },
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}
