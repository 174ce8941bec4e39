import type { Leases } from '#crawl/leases/leases.ts'
import type { Fetcher, FetcherMemory } from '#crawl/ports.ts'
import type { LeasedBounds } from './leased-bounds.ts'
import type { SegmentWriter } from './segment-writer.ts'

/** What a worker fetches with: today's fetcher, which can be told what others know. */
export interface WorkerFetcher
  extends Pick<Fetcher, 'post' | 'next' | 'inFlight' | 'paceOf' | 'endWithin' | 'close'> {
  memory(robotsSince?: number): Promise<FetcherMemory>
  remember(memory: Partial<FetcherMemory>): void
  /** Where a host was found, if it was looked for. */
  addressOf?(host: string): string | undefined
}

export interface FleetWorkerOptions {
  /** Nobody else's, ever. */
  readonly name: string
  readonly leases: Leases
  readonly writer: SegmentWriter
  /** Opens a fetcher that keeps to the bounds, on the clock of the leases. */
  readonly open: (bounds: LeasedBounds, clock: () => number) => WorkerFetcher
  /** Domains at a time. */
  readonly concurrency: number
  /** Seconds that only go forwards, and go on while the process is stopped. */
  readonly now: () => number
  readonly sleep: (seconds: number, signal?: AbortSignal) => Promise<void>
  readonly note?: (note: WorkerNote) => void
}

/** What whoever runs a worker should know. */
export type WorkerNote =
  | { readonly kind: 'trouble'; readonly with: 'database' | 'store'; readonly error: Error }
  | { readonly kind: 'well again'; readonly with: 'database' | 'store' }
  /** Its leases may have ended: what was under way is broken off. */
  | { readonly kind: 'cut off' }
  | { readonly kind: 'lost'; readonly domain: string }
