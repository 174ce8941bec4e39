/** Plans whose batches may still be reported on, at least. */
export const EPOCHS_KEPT = 16
/** Plans that are forgotten together: to make a table and drop it takes a database longer than all leases of a plan. */
export const EPOCHS_A_TABLE = 32

/** Requests to one registrable domain, as the planner publishes them; the best first. */
export interface Batch {
  readonly domain: string
  /** The address that its host was last found at; '' if that is unknown. */
  readonly address: string
  /** How many requests it has. Each is paid for when the plan is published, and paid back if it is never opened. */
  readonly size: number
  /** Seconds that the domain rests after the latest request, should a worker die without a word. */
  readonly restSeconds: number
  /** The requests and what must be known of their hosts; only planner and workers read it. */
  readonly payload: Uint8Array
}

/** A plan: what may be fetched from now on, in place of what was queued before. */
export interface PublishedPlan {
  /** Larger than that of every plan before. */
  readonly epoch: number
  /** The first is leased first. */
  readonly batches: readonly Batch[]
  /** Workers that may be at an address at the same time, where it is not 1. */
  readonly places?: ReadonlyMap<string, number>
}

/** A batch by the plan it is of, and its place there. */
export interface BatchName {
  readonly epoch: number
  readonly rank: number
}

/** A batch that one worker has, and nobody else any of its domain, for so many seconds since it asked. */
export interface Lease extends Batch, BatchName {
  /** Proves who has it; each lease has another. */
  readonly token: number
  /** Requests that any worker was let send by now, and how many of them are this one's. */
  readonly opened: number
  readonly granted: number
  /** By position: what has been reported. */
  readonly done: readonly boolean[]
  /** What the worker before knew of its hosts when it ended, as it wrote that; '' for nothing. */
  readonly hosts: string
}

/** How much somebody wants to lease. */
interface LeaseWish {
  readonly most: number
  /** It looks from this rank on, as others look at those before, and at these if that is not enough. */
  readonly fromRank: number
  /** Each is let send at once what its domain takes in so many seconds, less those for which it is busy there; nothing if left out. */
  readonly openSeconds?: number
  /** Only what is at addresses where it has a place by now. */
  readonly onlyHere?: boolean
  /** Domains that it has, and of which it may have the next batch, too, by how many seconds it is busy there without that. */
  readonly ahead?: ReadonlyMap<string, number>
}

export interface LeaseRequest extends LeaseWish {
  readonly worker: string
  readonly seconds: number
  readonly turn: number
}

export interface ArriveRequest {
  readonly worker: string
  readonly seconds: number
  readonly addresses: readonly string[]
  readonly turn: number
}

/** What a worker has to say of one of its leases. */
export interface LeaseReport extends BatchName {
  readonly token: number
  /** Positions of what has been fetched and stored since the last report; to repeat one does no harm. */
  readonly done: readonly number[]
  /** Those of them that cost nothing, as nothing was sent: they are paid back. */
  readonly free?: readonly number[]
  /** Asks to be let send so many more; below 0, gives back so many that were opened and never sent. */
  readonly open: number
  /**
   * `ended`: nothing more comes of this batch. `handed back`: the worker leaves; others may go on. After both, the
   * domain rests.
   */
  readonly end?: 'ended' | 'handed back'
  /** Seconds, with `end`. */
  readonly restSeconds?: number
  /** With `end`: what whoever is next must know of its hosts, and for how many seconds. */
  readonly hosts?: { readonly text: string; readonly seconds: number }
  /** With `handed back`: where its host was found, and the worker has no place. */
  readonly address?: string
}

export interface WorkerReport {
  readonly worker: string
  /** Its leases and its places last so long from now on. */
  readonly seconds: number
  /** Name of the stored segment that has the outcomes of all that is done; the same name again does no harm. */
  readonly segment?: string
  /** Of those of which there is something to tell. */
  readonly leases: readonly LeaseReport[]
  readonly turn: number
  /** Tokens of all its leases: others that it took in turns before this one it has never heard of, and they go back. Without it, all stay. */
  readonly held?: readonly number[]
  /** All addresses that it is at: places elsewhere that it took in turns before this one are given back. Without it, all stay. */
  readonly at?: readonly string[]
  /** What it wants to lease once all that is done, if the latest plan is newer than that: two steps in one. */
  readonly wants?: LeaseWish & { readonly newerThan: number }
}

export interface ReportAnswer {
  /** For each lease of the report. */
  readonly answers: readonly LeaseAnswer[]
  /** The latest plan: whoever found nothing to lease in it may wait for the next. */
  readonly epoch: number
  readonly leases: readonly Lease[]
}

interface LeaseAnswer extends BatchName {
  /** The lease is no longer the worker's: it must send nothing more, and what it reported as done is not taken. */
  readonly isLost: boolean
  /** How many more it may send. */
  readonly granted: number
}

/** Where each fetch of the budget is: done, lost (paid for, and nobody knows what came of it) or promised to a batch. */
export interface LeaseLedger {
  readonly total: number
  readonly spent: number
  readonly lost: number
  readonly escrow: number
}

/** What became of a batch so far. */
export interface BatchState extends BatchName {
  readonly state: 'queued' | 'leased' | 'ended'
  readonly opened: number
  readonly done: readonly boolean[]
}

export interface LeasesLook {
  readonly ledger: LeaseLedger
  readonly batches: readonly BatchState[]
}

/** A lease that is open, for planners and people. */
export interface OpenLease extends BatchName {
  readonly domain: string
  readonly worker: string
  readonly opened: number
  readonly done: readonly boolean[]
  readonly payload: Uint8Array
  /** Until it ends, unless it is renewed. */
  readonly secondsLeft: number
}

export interface StoredSegment {
  readonly sequence: number
  readonly name: string
  readonly worker: string
  /** Of what it reports as done, that which was reported before, or after the lease was lost: it is not to be read. */
  readonly repeated: readonly (BatchName & { readonly positions: readonly number[] })[]
}

/** Who fetches, as far as is known. */
export interface KnownWorker {
  readonly name: string
  readonly leases: number
  /** Reported as done since it came. */
  readonly done: number
  /** Since it came, and since it last said something. */
  readonly ageSeconds: number
  readonly silentSeconds: number
  /** It has said nothing for so long that its leases are over. */
  readonly isLost: boolean
}

/**
 * Who fetches what: batches of one domain, each leased to at most one worker, and all that are leased of a domain to the same.
 * The budget is in escrow: a request is paid for before it is sent, so that no crash can exceed it.
 */
export interface Leases {
  /** Seconds since 1970 on the clock that all go by. */
  now(): Promise<number>
  /** Tells all workers how to fetch; '' until somebody does. */
  announce(text: string): Promise<void>
  announced(): Promise<string>
  /** The crawl may make so many requests in all. It is never set below what is spent, lost or in escrow. */
  setBudget(total: number): Promise<void>
  /** The number of the latest plan; -1 before the first. */
  epoch(): Promise<number>
  /** Fails, and changes nothing, if the budget cannot pay for all of it. Leases of earlier plans go on. */
  publish(plan: PublishedPlan): Promise<void>
  /** What is queued ends. If it is for good, leases open nothing more either, until the next plan. */
  withdraw(isForGood: boolean): Promise<void>
  lease(request: LeaseRequest): Promise<readonly Lease[]>
  /**
   * The worker wants to be at these addresses: gives those that have a place for it. A place is the worker's, whatever
   * domains it asks there, until it leaves or is lost. A worker numbers what it asks by turns: what was given up for lost
   * may come true late, and must not undo what came after it.
   */
  arrive(request: ArriveRequest): Promise<readonly string[]>
  report(report: WorkerReport): Promise<ReportAnswer>
  /** Ends leases and places of workers whose time is over; gives how many leases. Whoever leases does it as well, a few at a time. */
  expire(): Promise<number>
  ledger(): Promise<LeaseLedger>
  /** Without payloads these are empty. */
  open(withPayloads?: boolean): Promise<readonly OpenLease[]>
  /** Expires, then tells where the budget is, and of batches of these plans of which something was opened, or that are leased. */
  look(epochs: readonly number[]): Promise<LeasesLook>
  /** What workers stored after that one, in the order in which it was accepted. */
  segments(after: number): Promise<readonly StoredSegment[]>
  /** Those up to that one were read long ago. */
  forgetSegments(upTo: number): Promise<void>
  /** The latest first. */
  workers(): Promise<readonly KnownWorker[]>
  close(): Promise<void>
}
