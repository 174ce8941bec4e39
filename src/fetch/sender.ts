import type { Board, FetcherMemory } from '#crawl/ports.ts'
import type { FetchOutcome } from '#learn/entries/outcome.ts'
import type { RobotsExplanation } from './robots/robots-explanation.ts'
import type { SiteRule } from './sites/sites.ts'

/** What a worker may do from now on. How many it may send is counted for all workers together (`SendAllowance`). */
export interface WorkerBoard extends Pick<Board, 'requests'> {
  /** So many requests at once; as many as all workers together if left out. */
  readonly concurrency?: number
}

/**
 * A worker: the half of a fetcher that sends. It has whole registrable domains to itself, keeps manners, and tells what
 * comes of each request. It may run on another thread than the half that reads (`OutcomeReader`), so what one says
 * reaches the other later: whatever depends on the order goes by counts.
 */
export interface Sender {
  /** Replaces the board; so many outcomes were read by then. */
  post(board: WorkerBoard, reads: number): void
  /** So many outcomes were read and their bytes counted, or more may be sent than before. */
  read(reads: number): void
  /** From now on these hold for own sites, and no others. */
  useSites(rules: readonly SiteRule[]): void
  endWithin(seconds: number): void
  /** What must not be forgotten; of robots.txt files, those asked for since then (seconds since 1970). */
  memory(robotsSince?: number): Promise<FetcherMemory>
  explainRobots(url: string): Promise<RobotsExplanation | undefined>
  close(): Promise<void>
}

/** What a sender tells, in the order in which it happened. */
export type Notice =
  /** So many boards have reached it: nothing more is sent of those before. */
  | { readonly kind: 'posted'; readonly posts: number }
  /** With what was paid for it, and the seconds between two requests to the host, as known by then. */
  | {
      readonly kind: 'sent'
      readonly id: number
      readonly url: string
      readonly cost: number
      readonly pace: number
    }
  | { readonly kind: 'answered'; readonly outcome: FetchOutcome }
  /** After `post` and `read` were called so often in all, no outcome will come before the next call. */
  | { readonly kind: 'idle'; readonly told: number; readonly isOutOfBytes: boolean }
  /** It cannot go on, and nobody else could in its place: what comes cannot be kept. */
  | { readonly kind: 'broken'; readonly reason: string }
  /** It is no more. */
  | { readonly kind: 'ended'; readonly error: Error }
