import { ownBounds } from './bounds/bounds.ts'
import { type LiveFetcherOptions, usualPaceOf } from './fetcher-options.ts'
import { type LiveFetcher, OutcomeReader } from './outcome-reader.ts'
import { PoliteSender } from './polite-sender.ts'

export type { LiveFetcherOptions } from './fetcher-options.ts'
export type { LiveFetcher } from './outcome-reader.ts'

/** A fetcher for the live web, or for whatever `resolve` puts in its place, on the thread of its caller. */
export function liveFetcher(options: LiveFetcherOptions): LiveFetcher {
  const { clock, bytesLeft, sites } = options
  const bounds = ownBounds(bytesLeft?.())
  return new OutcomeReader(
    { clock, bytesLeft, bounds, usualPace: usualPaceOf(options), sites },
    (tell) => new PoliteSender(options, tell, bounds),
  )
}
