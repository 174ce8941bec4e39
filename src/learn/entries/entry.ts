import type { Instruction } from '#frontier/instructions.ts'
import type { ScopeRules } from '#frontier/scope.ts'
import type { Told } from '#frontier/told.ts'
import type { QueryProgress } from '#workload/improvability.ts'
import type { Query } from '#workload/workload.ts'
import type { FetchEntry } from './fetch-entry.ts'

/** Where a crawl begins and may go, from now on. */
interface RulesEntry {
  readonly kind: 'rules'
  readonly scope: ScopeRules
  /** All URLs to begin with, in the order they were first given. */
  readonly seeds: readonly string[]
}

/** What an operator has told the crawl: all of it so far. */
interface InstructionsEntry {
  readonly kind: 'instructions'
  readonly all: readonly Instruction[]
}

/** What sites, hubs and fetchers told of URLs since the last such entry. */
export interface ToldEntry {
  readonly kind: 'told'
  readonly at: number
  readonly told: readonly Told[]
}

/** A run began: models and patience begin anew, and seeds that had no page may be asked for again. */
export interface RunEntry {
  readonly kind: 'run'
  readonly at: number
  /** What searchers ask, weighed at that time; empty without a query log. */
  readonly queries: readonly Query[]
}

/** What searchers ask by now: it counts from the next plan on. */
interface SearchesEntry {
  readonly kind: 'searches'
  readonly at: number
  /** All of it, weighed anew. */
  readonly queries: readonly Query[]
}

/** What a plan may spend. */
export interface PlanBudget {
  /** Fetches of this cycle. */
  readonly budget: number
  /** And of all that follow too, as far as known. */
  readonly affords?: number
  /** Fetches of a cycle if there were budget enough. */
  readonly ahead?: number
  /** URLs that hosts may be kept busy with beside these; none if left out. */
  readonly reserve?: number
  /** Requests that a host can take in the time there is, if that is limited. */
  readonly hostTakes?: number
}

/** A plan was made: what it depended on beside what was known, and what it came to. */
export interface PlanEntry extends PlanBudget {
  readonly kind: 'plan'
  readonly cycle: number
  readonly at: number
  /** URLs that were sent before and not answered yet. */
  readonly underWay: readonly number[]
  /** URLs to be fetched, best first. */
  readonly urls: readonly number[]
  /** Further URLs above the price, for hosts that would be idle; best first. */
  readonly reserved?: readonly number[]
  /** Those of either that are to be rendered, and at what cost. */
  readonly rendered?: readonly (readonly [url: number, cost: number])[]
  /** What the last fetch that the budget affords is worth, if policies share a currency. */
  readonly price?: number
}

/** One fetch is finished. */
interface FetchedEntry extends FetchEntry {
  readonly kind: 'fetch'
}

/** What a cycle did for one query, by its text. */
export type TrackedProgress = QueryProgress & { readonly query: string }

/** A cycle has ended: what it found beside pages is taken up, and what it gained is counted. */
export interface EndEntry {
  readonly kind: 'end'
  readonly cycle: number
  readonly at: number
  /** As it was measured, for whoever cannot measure it again. */
  readonly progress?: readonly TrackedProgress[]
  /** By URL: what its fetch was worth by another engine's scores, where searchers are answered by one. */
  readonly gains?: ReadonlyMap<number, number>
}

/** Everything that ever changes what a crawl knows, in the order in which it became durable. */
export type Entry =
  | RulesEntry
  | InstructionsEntry
  | ToldEntry
  | RunEntry
  | SearchesEntry
  | PlanEntry
  | FetchedEntry
  | EndEntry
