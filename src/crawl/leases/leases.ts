/** Plans whose batches may still be reported on. */
export const EPOCHS_KEPT = 3

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

/** A batch that one worker has to itself, and nobody else any of its domain, for so many seconds since it asked. */
export interface Lease extends Batch, BatchName {
  /** Proves who has it; each lease has another. */
  readonly token: number
  /** Requests that any worker was let send by now. */
  readonly opened: number
  /** By position: what has been reported. */
  readonly done: readonly boolean[]
}

export interface LeaseRequest {
  readonly worker: string
  readonly most: number
  readonly seconds: number
  /** Ranks before this are passed over, as others look at them; 0 once nothing was left behind it. */
  readonly fromRank: number
}

/** What a worker has to say of one of its leases. */
export interface LeaseReport extends BatchName {
  readonly token: number
  /** Positions of what has been fetched and stored since the last report; to repeat one does no harm. */
  readonly done: readonly number[]
  /** Asks to be let send so many more. */
  readonly open: number
  /**
   * `ended`: nothing more comes of this batch. `handed back`: the worker leaves; others may go on. After both, the
   * domain rests.
   */
  readonly end?: 'ended' | 'handed back'
  /** Seconds, with `end`. */
  readonly restSeconds?: number
}

export interface WorkerReport {
  readonly worker: string
  /** The lease of whatever is reported lasts so long from now on. */
  readonly seconds: number
  /** Name of the stored segment that has the outcomes of all that is done; the same name again does no harm. */
  readonly segment?: string
  readonly leases: readonly LeaseReport[]
}

export interface LeaseAnswer extends BatchName {
  /** The lease is no longer the worker's: it must send nothing more. What it reported as done counts all the same. */
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

/** A lease that is open, for planners and people. */
export interface OpenLease extends BatchName {
  readonly domain: string
  readonly worker: string
  readonly opened: number
  readonly done: readonly boolean[]
  /** Until it ends, unless it is renewed. */
  readonly secondsLeft: number
}

export interface StoredSegment {
  readonly sequence: number
  readonly name: string
  readonly worker: string
}

/**
 * Who fetches what: batches of one domain, each leased to at most one worker, and never two of a domain at a time.
 * The budget is in escrow: a request is paid for before it is sent, so that no crash can exceed it.
 */
export interface Leases {
  /** The crawl may make so many requests in all. It is never set below what is spent, lost or in escrow. */
  setBudget(total: number): Promise<void>
  /** Fails, and changes nothing, if the budget cannot pay for all of it. Leases of earlier plans go on. */
  publish(plan: PublishedPlan): Promise<void>
  lease(request: LeaseRequest): Promise<readonly Lease[]>
  /** The host was found at this address; false if all its places are taken, and then the lease is handed back. */
  locate(lease: BatchName & { readonly token: number }, address: string): Promise<boolean>
  report(report: WorkerReport): Promise<readonly LeaseAnswer[]>
  /** Ends leases whose time is over; gives how many. Whoever leases does it as well, a few at a time. */
  expire(): Promise<number>
  ledger(): Promise<LeaseLedger>
  open(): Promise<readonly OpenLease[]>
  /** What workers stored after that one, in the order in which it was accepted. */
  segments(after: number): Promise<readonly StoredSegment[]>
  close(): Promise<void>
}
