import { type LiveFetcherOptions, usualPaceOf } from './fetcher-options.ts'
import { type LiveFetcher, OutcomeReader } from './outcome-reader.ts'
import { PoliteSender } from './polite-sender.ts'

export type { LiveFetcherOptions } from './fetcher-options.ts'
export type { LiveFetcher } from './outcome-reader.ts'

/** A fetcher for the live web, or for whatever `resolve` puts in its place, on the thread of its caller. */
export function liveFetcher(options: LiveFetcherOptions): LiveFetcher {
  const { clock, bytesLeft, sites } = options
  return new OutcomeReader(
    { clock, bytesLeft, usualPace: usualPaceOf(options), sites },
    (tell) => new PoliteSender({ ...options, bytesLeft: bytesLeft?.() }, tell),
  )
}
