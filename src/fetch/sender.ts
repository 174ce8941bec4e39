import type { Board, FetcherMemory } from '#crawl/ports.ts'
import type { FetchOutcome } from '#learn/entries/outcome.ts'
import type { RobotsExplanation } from './robots/robots-explanation.ts'
import type { SiteRule } from './sites/sites.ts'

/** How much of what a sender told was heard when it is told something itself; counted from the beginning. */
export interface Heard {
  /** Outcomes read. */
  readonly reads: number
  /** Requests known to have been sent. */
  readonly departures: number
}

/**
 * The half of a fetcher that sends. It may run on another thread than the half that reads (`OutcomeReader`), so what
 * one says reaches the other later: whatever depends on the order goes by counts.
 */
export interface Sender {
  /** Replaces the board. What was sent and not heard of by then counts among its sends. */
  post(board: Board, heard: Heard): void
  /** So many outcomes were read and their bytes counted; so many bytes are left. */
  read(reads: number, bytesLeft: number): void
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
  /** With the seconds between two requests to the host, as known by then. */
  | { readonly kind: 'sent'; readonly id: number; readonly host: string; readonly pace: number }
  | { readonly kind: 'answered'; readonly outcome: FetchOutcome }
  /** After so many boards and outcomes read, no outcome will come before the next board. */
  | {
      readonly kind: 'idle'
      readonly posts: number
      readonly reads: number
      readonly isOutOfBytes: boolean
    }
  /** It is no more. */
  | { readonly kind: 'ended'; readonly error: Error }
