import type { Frontier } from '#frontier/frontier.ts'
import type { Purpose } from '#policy/bids.ts'
import type { Learnt } from './learn.ts'
import type { FetchOutcome } from './outcome.ts'

/** Seconds since 1970; the lab's clock is the archive's. */
export interface Clock {
  now(): number
}

/** One fetch as the fetcher is asked for it. */
export interface FetchRequest {
  /** Number of the URL in the frontier; comes back in the outcome. */
  readonly id: number
  readonly url: string
  /** Within a host, the largest goes first. */
  readonly priority: number
}

/** A web to fetch from: live over HTTP, or an archive at a virtual time. */
export interface Fetcher {
  /**
   * Yields exactly one outcome a request, in whatever order they arrive. When `signal` aborts it
   * sends nothing more, yields what was already in flight, and ends.
   */
  fetchAll(requests: readonly FetchRequest[], signal: AbortSignal): AsyncIterable<FetchOutcome>
  close(): Promise<void>
}

/** A finished fetch with what the plan said of it. */
export interface JournalEntry {
  readonly cycle: number
  readonly purpose: Purpose
  readonly predictedGain: number
  readonly outcome: FetchOutcome
}

/** One turn of the wheel, for the log. */
export interface CycleRecord {
  readonly cycle: number
  readonly startedAt: number
  readonly endedAt: number
  readonly planned: number
  /** What was learnt, in the order it was learnt, beside what was predicted. */
  readonly fetches: readonly (Learnt & Pick<JournalEntry, 'purpose' | 'predictedGain'>)[]
}

/** Where everything lives between runs. */
export interface Repository {
  /** Makes a finished fetch durable at once: from here on, not even kill -9 makes us repeat it. */
  journal(entry: JournalEntry): Promise<void>
  /** Brings the tables up to date with a whole cycle, all or nothing. */
  commit(record: CycleRecord, frontier: Frontier): Promise<void>
}

export interface Ports {
  readonly fetcher: Fetcher
  readonly repository: Repository
  readonly clock: Clock
}
