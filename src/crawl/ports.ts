import type { Frontier } from '#frontier/frontier.ts'
import type { Instruction } from '#frontier/instructions.ts'
import type { Told } from '#frontier/told.ts'
import type { EndedCycle } from '#learn/apply.ts'
import type { Entry, PlanEntry, ToldEntry } from '#learn/entries/entry.ts'
import type { FetchEntry, WarcPlace } from '#learn/entries/fetch-entry.ts'
import type {
  Exchange,
  FetchOutcome,
  KeptExchanges,
  RobotsExchange,
} from '#learn/entries/outcome.ts'
import type { Knowledge, Ledger, Snapshot } from '#learn/knowledge.ts'
import type { Query, StoredQuery } from '#workload/workload.ts'
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
  /** It is to be rendered, and costs so many of the sends. */
  readonly renderCost?: number
  /** What is kept with the exchange, where the worker that fetches keeps it. */
  readonly keptWith?: KeptWith
}

/** What a crawl knows of a fetch that goes into its WARC file. */
export interface KeptWith {
  readonly isSeed?: boolean
  readonly purpose?: string
  readonly gain?: number
  /** The last answer of the URL: one that says no more refers to it. */
  readonly original?: { readonly digest: string; readonly at: number; readonly id: string }
}

/** What may be sent from now on. */
export interface Board {
  /** Of each host the largest priority goes first. What is under way, or answered and not read yet, is not sent again. */
  readonly requests: readonly FetchRequest[]
  /**
   * So many may be sent, a rendered one counting as many as it costs, beside those that are under way or answered and not read yet. What was sent of the board before
   * until the fetcher heard of this one counts among them.
   */
  readonly sends: number
}

/** Nothing more is to be sent. */
export const EMPTY_BOARD: Board = { requests: [], sends: 0 }

/** A web to fetch from: live over HTTP, or an archive at a virtual time. */
export interface Fetcher {
  /** Replaces the board: what was not sent of the one before is forgotten. Before the first, nothing is sent. */
  post(board: Board): void
  /** Comes back when the latest board is in force: by then `inFlight` has all that was sent of those before. */
  inForce?(): Promise<void>
  /**
   * The next outcome, in whatever order they arrive. Undefined once nothing is under way and nothing that waits
   * may be sent, or when that time comes; seconds of the crawl's clock. Once all sends of the board are used up, `untilSent`
   * is the time.
   */
  next(until?: number, untilSent?: number): Promise<FetchOutcome | undefined>
  /** Ids of the requests sent whose outcomes were not read yet. */
  inFlight(): readonly number[]
  /** What these cost at most, where some cost more than 1. */
  inFlightCost?(): number
  /** Seconds between two requests to a host, as far as is known. */
  paceOf?(host: string): number
  /** Requests that were paid for, and of which nobody will ever know what came. */
  lost?(): number
  /** True when it may receive nothing more: the byte budget is spent, robots.txt files included. */
  isOutOfBytes?(): boolean
  /** Breaks off what is not answered within that time; such outcomes are marked, and cost what was sent. */
  endWithin?(seconds: number): void
  close(): Promise<void>
}

/** What is to be paid for requests that are under way. */
export function inFlightCost(fetcher: Fetcher): number {
  return fetcher.inFlightCost?.() ?? fetcher.inFlight().length
}

/** The same fetcher, to be changed in some of what it does. */
export function handedOn(fetcher: Fetcher): Required<Fetcher> {
  return {
    post: (board) => fetcher.post(board),
    inForce: async () => fetcher.inForce?.(),
    next: (until, untilSent) => fetcher.next(until, untilSent),
    inFlight: () => fetcher.inFlight(),
    inFlightCost: () => inFlightCost(fetcher),
    paceOf: (host) => fetcher.paceOf?.(host) ?? 0,
    lost: () => fetcher.lost?.() ?? 0,
    isOutOfBytes: () => fetcher.isOutOfBytes?.() ?? false,
    endWithin: (seconds) => fetcher.endWithin?.(seconds),
    close: () => fetcher.close(),
  }
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

/** A finished fetch with what the plan said of it, and the cycle it belongs to. */
export interface JournalEntry extends FetchEntry {
  readonly cycle: number
}

/** One turn of the wheel, for the log: what was learnt in it, beside what was predicted. */
export interface CycleRecord extends EndedCycle {
  readonly cycle: number
  readonly startedAt: number
  /** When its board was posted: till then it was planned. */
  readonly postedAt?: number
  readonly endedAt: number
  readonly planned: number
  /** What the last fetch that the budget afforded was worth, if policies share a currency. */
  readonly price?: number
  /** What is left to gain with the budget there is, where that can be told. */
  readonly left?: LeftToGain
  /** That was too little to go on for. */
  readonly enough?: true
  readonly plan?: PlanEntry
  /** It was cut off by a kill, and ended by a later run. */
  readonly cutOff?: true
}

/** Where everything lives between runs: the half that is written, in the order in which things happen. */
export interface Repository {
  /** A run begins: makes that durable, with the seeds that are new. */
  beginRun?(at: number, frontier: Frontier): Promise<void>
  /** What the latest plan of earlier runs posted, best first, unless plans go by other settings or queries by now. */
  boardLeft?(): Promise<readonly number[]>
  /** Makes durable what was told of URLs, after it was taken in. */
  keepTold?(entry: ToldEntry, frontier: Frontier): Promise<void>
  /** A plan was made: makes it durable before any of its fetches is sent. */
  beginCycle?(plan: PlanEntry): Promise<void>
  /**
   * Makes a finished fetch durable at once, with what went over the wire if that is kept, for it and
   * for its robots.txt, or what its worker has kept of that: from here on, not even kill -9 makes us repeat it.
   */
  journal(
    entry: JournalEntry,
    exchange?: Exchange,
    robots?: readonly RobotsExchange[],
    kept?: KeptExchanges,
  ): Promise<WarcPlace | undefined>
  /** Brings the tables up to date with a whole cycle, all or nothing. */
  commit(record: CycleRecord, frontier: Frontier): Promise<void>
}

/** A crawl as it was left: a snapshot of its log, and what its journal has beyond that. */
export interface StoredCrawl extends Required<Pick<Snapshot, 'frontier' | 'lessons'>>, Ledger {
  /** Finished fetches of a cycle that was cut off; they are yet to be learnt from. */
  readonly pending: readonly JournalEntry[]
  /** The plan of that cycle, where the journal has it. */
  readonly plan?: PlanEntry
  /** Fetches that the snapshot lacked and has from the log by now. */
  readonly takenUp: number
}

/** What a fetcher must not forget between runs. */
export interface FetcherMemory {
  readonly hostStates: readonly HostState[]
  readonly robotsRecords: readonly RobotsRecord[]
  /** Files asked for from then on are not listed: there were too many for one time. */
  readonly robotsUntil?: number
  readonly hostTrusts: readonly HostTrust[]
}

/** The other half of a store: what is read back. */
export interface StoreReader {
  load(): Promise<StoredCrawl>
  /** The whole log, entry by entry. */
  entries(): AsyncIterable<Entry>
  /** The queries people asked, weighed at that time; the weightiest first. */
  queries(now: number): Promise<readonly StoredQuery[]>
  /** Synthetic queries, from what is committed, for a crawl without a log. */
  madeUpQueries(): Promise<readonly StoredQuery[]>
  /** What is to be remembered between runs, such as the scope. */
  setting(key: string): Promise<string | undefined>
  settings(): Promise<ReadonlyMap<string, string>>
  /** What the last fetch was worth that the latest plan with a price could afford. */
  lastPrice(): Promise<number | undefined>
  /** What the fetcher of an earlier run knew of hosts. */
  fetcherMemory(): Promise<FetcherMemory>
}

/** What was told of URLs and no crawl has taken in yet. It stays until then, whatever happens; what is taken in twice does no harm. */
export interface ToldSource {
  waiting(): readonly Told[]
  /** What `waiting` gave last is durable. */
  taken(): void
}

export interface Ports {
  readonly fetcher: Fetcher
  readonly repository: Repository
  readonly clock: Clock
  /** All that searchers ask, weighed at that time, if they asked something since the last call; by then it is durable. */
  readonly searches?: (at: number) => Promise<readonly Query[] | undefined>
  /** All that the operator told the crawl, if something was told since the last call; by then it is durable. */
  readonly instructions?: (at: number) => Promise<readonly Instruction[] | undefined>
  readonly told?: ToldSource
  /** Hands a cycle to the engine that answers searchers, and gives by URL what its fetches were worth there. */
  readonly judge?: (known: Knowledge) => Promise<ReadonlyMap<number, number> | undefined>
}
