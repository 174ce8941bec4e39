import { Frontier } from '#frontier/frontier.ts'
import type { ScopeTest } from '#frontier/scope.ts'
import type { TextIndex } from '#search/full-text/text-index.ts'
import type { LoggedFetch } from './entries/learnt-fetch.ts'
import { Lessons } from './lessons.ts'
import { RestingOrigins } from './resting-origins.ts'
import { PageIndexer } from './text-index/index-pages.ts'
import type { QueryTracker } from './text-index/track-queries.ts'

/** What a crawl has cost, of all runs. */
export interface Ledger {
  /** Turns of the wheel so far. */
  cycle: number
  /** Fetches paid for. */
  spent: number
  /** Bytes of bodies received. */
  bytes: number
}

/** Everything a crawl knows. Only `apply` changes it, entry by entry of the log. */
export interface Knowledge extends Ledger {
  readonly frontier: Frontier
  /** What its fetches have taught. */
  readonly lessons: Lessons
  /** Whom the fetcher leaves alone for a while. */
  readonly resting: RestingOrigins
  /** Fetches of the cycle under way, as they came. */
  learnt: LoggedFetch[]
  /** Where the crawl may go, and where it begins. */
  scope: ScopeTest
  seeds: readonly string[]
  /** Keeps the index in step, if there is one. */
  indexer?: PageIndexer
  /** Watches what cycles do for queries, if there are any. */
  tracker?: QueryTracker
}

/** What may be known before the first entry: a snapshot of the log up to there. */
export interface Snapshot extends Partial<Ledger> {
  readonly frontier?: Frontier
  readonly lessons?: Lessons
  readonly scope?: ScopeTest
  readonly seeds?: readonly string[]
  readonly index?: TextIndex
}

/** What a crawl knows at its beginning, or as it was left. */
export function knowledge(snapshot: Snapshot = {}): Knowledge {
  const { frontier = new Frontier(), lessons = new Lessons(frontier), index } = snapshot
  const { cycle = 0, spent = 0, bytes = 0 } = snapshot
  const { scope = () => undefined, seeds = [] } = snapshot
  const resting = new RestingOrigins(frontier)
  return {
    ...{ frontier, lessons, resting, learnt: [], scope, seeds },
    ...{ cycle, spent, bytes },
    indexer: index && new PageIndexer(index),
  }
}
