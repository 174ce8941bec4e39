import type { Frontier } from '#frontier/frontier.ts'
import type { Thought } from '#learn/corrections/corrections.ts'
import type { Exchange, FetchOutcome, RobotsExchange } from '#learn/entries/outcome.ts'
import type { Purpose } from '#policy/bids.ts'
import type { Parts } from '#policy/budget/added-bids.ts'
import type { IndexChanges } from './index-pages.ts'
import type { Learnt } from './learn.ts'
import type { TrackedProgress } from './track-queries.ts'
import type { LeftToGain } from './until-gain.ts'

/**
 * Seconds since 1970, never backwards within a run: limits, waits and timestamps go by the same clock. The
 * lab's is the archive's.
 */
export interface Clock {
  now(): number
  /** Comes back at that time, or as soon as `signal` aborts. A recorded or simulated time waits for nobody. */
  waitUntil?(at: number, signal: AbortSignal): Promise<void>
}

/** One fetch as the fetcher is asked for it. */
export interface FetchRequest {
  /** Number of the URL in the frontier; comes back in the outcome. */
  readonly id: number
  readonly url: string
  /** Within a host, the largest goes first. */
  readonly priority: number
  /** What our copy came with, to ask whether it is still good. */
  readonly validators?: { readonly etag?: string; readonly lastModified?: string }
}

/** A web to fetch from: live over HTTP, or an archive at a virtual time. */
export interface Fetcher {
  /**
   * Yields at most one outcome a request, in whatever order they arrive. It may end before all are
   * answered, when waiting for the rest would keep other hosts idle: requests not sent by then are
   * forgotten (they will be planned again), those under way come out of a later call. When `signal`
   * aborts it sends nothing more, yields what is in flight, and ends.
   */
  fetchAll(requests: readonly FetchRequest[], signal: AbortSignal): AsyncIterable<FetchOutcome>
  /** Ids of the requests sent and not yet answered. */
  inFlight(): readonly number[]
  /** True when it may receive nothing more: the byte budget is spent, robots.txt files included. */
  isOutOfBytes?(): boolean
  /** Breaks off what is not answered within that time; such outcomes are marked, and cost what was sent. */
  endWithin?(seconds: number): void
  close(): Promise<void>
}

/** What the fetcher must not forget about a host when it restarts; times in seconds since 1970. */
export interface HostState {
  /** With its port, if the URLs name one. */
  readonly host: string
  /** No request before this: the rest after the latest answer. */
  readonly readyAt: number
  /** Left alone until then, because it is busy (429, 503) or keeps failing. */
  readonly backoffUntil: number
  /** How long the latest such pause was meant to be; the next is twice that, good answers halve it. */
  readonly backoffSeconds: number
  /** Failures in a row; a connection that cannot be made counts twice. */
  readonly failures: number
  /** The latest failure, in the words of its outcome. */
  readonly reason?: string
}

/** What a host's answers to conditional requests have shown. */
export interface HostTrust {
  readonly host: string
  /** 304s, all in all and since the last probe. */
  readonly unchanged: number
  readonly unchangedSinceProbe: number
  /** Full answers to a good validator though the content was the same: a 304 was possible. */
  readonly same: number
  readonly changed: number
  /** New content under the validator of the old. */
  readonly stale: number
  readonly probes: number
  /** When we stopped believing; seconds since 1970. */
  readonly distrustedAt?: number
}

/** What an origin's robots.txt said when it was last asked for; times in seconds since 1970. */
export interface RobotsRecord {
  /** Scheme, host and port. */
  readonly origin: string
  /** `none`: there is no such file; `closed`: 401 or 403, where that is taken for a no. */
  readonly kind: 'file' | 'none' | 'closed' | 'unreachable'
  /** Why it is closed or unreachable. */
  readonly reason?: string
  readonly fetchedAt: number
  /** Asked for again after this. */
  readonly validUntil: number
  /** The latest file that could be had, and when; it outlives failures. */
  readonly text?: string
  readonly textAt?: number
  /** Tries in a row that failed, and when the first of them was made. */
  readonly failures: number
  readonly failingSince?: number
}

/** A finished fetch with what the plan said of it. */
export interface JournalEntry {
  readonly cycle: number
  readonly purpose: Purpose
  /** Quality that the fetch was expected to gain at once. */
  readonly predictedGain: number
  /** What was bid for it, in the currency of the policy, and for which purpose how much of it. */
  readonly bid?: number
  readonly parts?: Parts
  /** What was thought of it before corrections. */
  readonly thought?: Thought
  /** The chance it had, if it was drawn by lot. */
  readonly probability?: number
  /** How often searchers saw the copy when the fetch was planned; see `clicks.ts`. */
  readonly clicks?: number
  readonly outcome: FetchOutcome
  /** Where the exchange lies, if it was kept. */
  readonly warc?: WarcPlace
}

/** The place of an exchange's response record in a WARC file. */
export interface WarcPlace {
  readonly file: string
  readonly offset: number
}

/** What the plan said of a fetch. */
export type Forecast = Omit<JournalEntry, 'cycle' | 'outcome' | 'warc'>

/** One fetch for the log: what it taught, what was expected of it, and what it was worth. */
export interface LoggedFetch extends Learnt, Forecast, Pick<JournalEntry, 'warc'> {
  /** In the unit that `gain-meter.ts` states, which not all policies bid in; absent while no queries are tracked. */
  readonly realisedGain?: number
}

/** One turn of the wheel, for the log. */
export interface CycleRecord {
  readonly cycle: number
  readonly startedAt: number
  readonly endedAt: number
  readonly planned: number
  /** What the last fetch that the budget afforded was worth, if policies share a currency. */
  readonly price?: number
  /** Set if the plan was not worth making: what is left to gain with the budget there is. */
  readonly left?: LeftToGain
  /** What was learnt, in the order it was learnt, beside what was predicted. */
  readonly fetches: readonly LoggedFetch[]
  /** What changed in the index. */
  readonly indexed?: IndexChanges
  /** What it did for the queries that are watched. */
  readonly progress?: readonly TrackedProgress[]
}

/** Where everything lives between runs. */
export interface Repository {
  /**
   * Makes a finished fetch durable at once, with what went over the wire if that is kept, for it and
   * for its robots.txt: from here on, not even kill -9 makes us repeat it.
   */
  journal(
    entry: JournalEntry,
    exchange?: Exchange,
    robots?: readonly RobotsExchange[],
  ): Promise<WarcPlace | undefined>
  /** Brings the tables up to date with a whole cycle, all or nothing. */
  commit(record: CycleRecord, frontier: Frontier): Promise<void>
}

export interface Ports {
  readonly fetcher: Fetcher
  readonly repository: Repository
  readonly clock: Clock
}
