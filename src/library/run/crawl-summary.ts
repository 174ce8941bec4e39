import type { CrawlEnd } from '#crawl/crawl.ts'
import type { CrawlState } from '#crawl/plan-cycle.ts'
import type { LeftToGain } from '#crawl/until-gain.ts'
import type { Rest } from '#learn/resting-origins.ts'
import type { StoredHindrances } from '../status/hindrances.ts'
import type { Tasks } from '../status/spending.ts'
import type { StrayRedirect } from '../status/stray-redirects.ts'
import type { RunTally } from './run-tally.ts'

/** What came of a run. */
export interface CrawlSummary extends StoredHindrances {
  /** Why it ended. */
  readonly end: CrawlEnd
  readonly policy: string
  readonly dir: string
  readonly budget: number
  /** Fetches paid for in all. */
  readonly spent: number
  /** Fetches paid for in this run. */
  readonly fetchedNow: number
  /** Bytes of bodies received in all. */
  readonly bytes: number
  /** Outcomes of this run by kind; `disallowed` ones cost nothing. */
  readonly outcomes: Readonly<Record<string, number>>
  /** Of the failed ones: not sent, as their hosts were to be left alone; some perhaps fetched later. */
  readonly putOff?: number
  readonly known: number
  /** Known, and could still be fetched. */
  readonly waiting: number
  /** Links of this run that were left alone, by the reason; one that stands on many pages counts often. */
  readonly outOfScope?: Readonly<Record<string, number>>
  /** A link or two for each of these reasons. */
  readonly outOfScopeExamples?: Readonly<Record<string, readonly string[]>>
  /** Patterns that were to be included, and that no known address matches. */
  readonly unmatchedIncludes?: readonly string[]
  readonly seconds: number
  /** The first few reasons why fetches failed. */
  readonly failures: readonly string[]
  /** The first few addresses that we do not go to, and why. */
  readonly refusals: readonly { readonly url: string; readonly reason: string }[]
  /** Seeds that redirect out of the scope, if any do. */
  readonly straySeeds?: readonly StrayRedirect[]
  /** Pages that say next to nothing until their scripts run, where none are to be rendered. */
  readonly frames?: number
  /** If nothing else was left to fetch: the hosts that rest, and what waits for them. */
  readonly rests?: readonly Rest[]
  /** Fetches of this run by what they were for. */
  readonly tasks: Tasks
  /** Quality that all fetches gained, as far as it was measured. */
  readonly gained?: number
  /** What the last fetch that the budget affords is worth, quality × days. */
  readonly price?: number
  /** What stopping by `untilGain` costs. */
  readonly left?: LeftToGain
}

/** What came of a run that has ended. */
export function summaryOf(
  end: CrawlEnd,
  { policy, dir, budget }: Pick<CrawlSummary, 'policy' | 'dir' | 'budget'>,
  { spent, bytes, frontier, lessons, tracker }: CrawlState,
  tally: RunTally,
  hindrances: StoredHindrances &
    Pick<CrawlSummary, 'straySeeds' | 'rests' | 'unmatchedIncludes' | 'frames'>,
): CrawlSummary {
  const { fetchedNow, outcomes, waiting, seconds, failures, refusals, spending, left, putOff } =
    tally
  return {
    ...{ end, policy, dir, budget, spent, fetchedNow, bytes },
    outcomes: Object.fromEntries(outcomes),
    putOff: putOff > 0 ? putOff : undefined,
    ...{ known: frontier.size, waiting, seconds, failures, refusals },
    ...tally.leftAlone,
    ...hindrances,
    tasks: spending.tasks,
    gained: tracker && lessons.gains.gain,
    price: spending.price,
    left: end === 'little left to gain' ? left : undefined,
  }
}
