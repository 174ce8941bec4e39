import type { Frontier } from '#frontier/frontier.ts'
import type { ScopeTest } from '#frontier/scope.ts'
import type { FetchOutcome } from '#learn/entries/outcome.ts'
import { learnInOrder } from './learn-in-order.ts'
import type { CycleRecord, Forecast, LoggedFetch, WarcPlace } from './ports.ts'

/** One fetch as the kept log has it: what was expected of it, what came, and what it was worth. */
export interface FetchEntry extends Forecast {
  /** Without the text of a page, which lies with the index. */
  readonly outcome: FetchOutcome
  readonly warc?: WarcPlace
  readonly realisedGain?: number
}

/** What came before a cycle since the last one. */
export interface BeforeCycle {
  /** URLs to begin with that are new, and when they were given. */
  readonly seeds: readonly { readonly url: string; readonly at: number }[]
  /** When a run began and let all seeds be asked for again, if one did. */
  readonly askedAgainAt?: number
}

/** One cycle as the kept log has it: with its fetches, all that is needed to learn it again. */
export interface CycleEntry
  extends BeforeCycle,
    Omit<CycleRecord, 'fetches' | 'indexed' | 'left'> {}

export function cycleEntryOf(record: CycleRecord, before: BeforeCycle): CycleEntry {
  const { cycle, startedAt, endedAt, planned, price, progress } = record
  return { cycle, startedAt, endedAt, planned, price, progress, ...before }
}

/** Its fetches, one after the other: all at once would need much memory. */
export function* fetchEntriesOf({ fetches }: CycleRecord): Generator<FetchEntry> {
  for (const fetch of fetches) yield fetchEntryOf(fetch)
}

function fetchEntryOf(fetch: LoggedFetch): FetchEntry {
  const { purpose, predictedGain, bid, parts, thought, probability, clicks } = fetch
  const { warc, realisedGain } = fetch
  return {
    ...{ purpose, predictedGain, bid, parts, thought, probability, clicks, warc, realisedGain },
    outcome: withoutText(fetch),
  }
}

/** Text and links are most of a page. Of content that is not new, nobody learns links. */
function withoutText({ outcome, marks, softError = false, changed }: LoggedFetch): FetchOutcome {
  if (outcome.kind !== 'page') return outcome
  const { page } = outcome
  const textFacts = { length: page.text.length, softError, ...(marks && { marks }) }
  return { ...outcome, page: { ...page, text: '', links: changed ? page.links : [] }, textFacts }
}

/** Learns a cycle of the kept log again, its fetches in the order in which they were first learnt. */
export function relearnCycle(
  { seeds, askedAgainAt, ...record }: CycleEntry,
  fetches: readonly FetchEntry[],
  frontier: Frontier,
  { scope, allSeeds }: { readonly scope: ScopeTest; readonly allSeeds: readonly string[] },
): CycleRecord {
  for (const { url, at } of seeds) frontier.add(url, 'seed', 0, at)
  if (askedAgainAt !== undefined) askAgain(allSeeds, frontier, askedAgainAt)
  return { ...record, fetches: learnInOrder(fetches, frontier, scope) }
}

/** Rules that kept us from a seed, ours or those of its site, may be others in a new run. */
export function askAgain(seeds: readonly string[], frontier: Frontier, at: number): void {
  for (const seed of seeds) frontier.askAgain(frontier.urls.find(seed)!, at)
}
