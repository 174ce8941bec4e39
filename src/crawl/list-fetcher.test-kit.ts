import type { FetchOutcome } from '#learn/entries/outcome.ts'
import type { Fetcher, FetchRequest } from './ports.ts'

/** A fetcher that answers all that may be sent of a board, in whatever order the function gives. */
export function listFetcher(
  answers: (requests: readonly FetchRequest[]) => AsyncIterable<FetchOutcome>,
): Fetcher {
  let coming: AsyncIterator<FetchOutcome> | undefined
  return {
    post({ requests, sends }) {
      coming = answers(requests.slice(0, sends))[Symbol.asyncIterator]()
    },
    async next() {
      const { value, done } = await coming!.next()
      return done ? undefined : value
    },
    inFlight: () => [],
    async close() {},
  }
}
