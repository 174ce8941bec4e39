import type { CrawlState } from '#crawl/plan-cycle.ts'
import type { StoreReader } from '#crawl/ports.ts'
import { SettingError } from '#errors/setting-error.ts'
import { readsQueries } from '#policy/bidder.ts'
import {
  KnownQueries,
  type KnownQueriesSetup,
  type SketchOptions,
} from '#policy/facts/known-queries.ts'
import { NO_VIEWS, viewsOfTopAnswers } from '#policy/facts/views.ts'
import { BudgetPlanner, type BudgetSetup } from '#policy/planning/budget-planner.ts'
import { type Composition, needsIndex } from '#policy/planning/composition.ts'
import { isPolicyName, policyNamed } from '#policy/registry/policy-name.ts'
import { REGISTRY, type Registry } from '#policy/registry/registry.ts'

/** A crawl as policies need it: what it knows, and where what it is to remember is read. */
interface PlannedCrawl {
  readonly state: CrawlState
  readonly store: Pick<StoreReader, 'queries' | 'madeUpQueries' | 'lastPrice' | 'setting'>
}

/** So many queries at most get a sketch: the next ones are asked too seldom to pay for it. */
export const MOST_QUERIES = 5_000

/** How a policy is to go about it, beside its name. */
export interface PolicyOptions extends SketchOptions, Pick<KnownQueriesSetup, 'engine'> {
  /** Who may be named; ours if left out. */
  readonly registry?: Registry
  /** Copies younger than this many seconds are not fetched again. */
  readonly freshFor?: number
  /** This share of the fetches is sampled at random. */
  readonly randomShare?: number
  /** Predictions are taken as they are, whatever came of earlier ones. */
  readonly isUncorrected?: boolean
  /** Pages are rendered where that is worth its cost, or all of them. */
  readonly render?: boolean
  readonly renderAll?: boolean
}

/** Whether a policy can do nothing without the index. */
export function goesByIndex(policy: string, registry: Registry = REGISTRY): boolean {
  return isPolicyName(policy, registry) && needsIndex(policyNamed(policy, registry))
}

/** Whether what a policy would fetch first stays first, so that no plan is better for being newer: what comes lies deeper. */
export function goesByDepth(policy: string, registry: Registry = REGISTRY): boolean {
  const { spends, bidders } = policyNamed(policy, registry)
  const facts = bidders.acquire?.needs.filter((fact) => fact !== 'candidates')
  return spends === 'alone' && facts?.join() === 'depths'
}

/** The policy of that name, made ready for a crawl. */
export async function crawlPolicy(
  name: string,
  opened: PlannedCrawl,
  now: number,
  options: PolicyOptions = {},
): Promise<BudgetPlanner> {
  const composition = policyNamed(name, options.registry)
  if (needsIndex(composition)) needIndex(name, opened)
  const queries = await queriesFor(composition, opened, now, options)
  const { state, store } = opened
  const price = await store.lastPrice()
  const owed = await store.setting(owedBy(name))
  const views = viewsFor(queries, opened)
  return new BudgetPlanner({
    composition,
    lessons: state.lessons,
    owed: owed === undefined ? undefined : JSON.parse(owed),
    freshForSeconds: options.freshFor,
    ...{ randomShare: options.randomShare, isUncorrected: options.isUncorrected },
    render: composition.spends === 'one currency' ? renderModeOf(options) : undefined,
    ...{ queries, views, price },
  })
}

/** Elsewhere nobody could weigh a rendering against other fetches. */
function renderModeOf({ render, renderAll }: PolicyOptions): BudgetSetup['render'] {
  if (!render) return undefined
  return renderAll ? 'all' : 'worthwhile'
}

/** Keeps what fixed shares owe each task for the next run; one that is killed forgets less than two fetches of each. */
export async function keepOwed(
  name: string,
  { owed }: Pick<BudgetPlanner, 'owed'>,
  { store }: { readonly store: { saveSetting(key: string, value: string): Promise<void> } },
): Promise<void> {
  if (owed) await store.saveSetting(owedBy(name), JSON.stringify(owed))
}

const owedBy = (policy: string) => `owed by ${policy}`

/**
 * How often searchers see copies. Without a log, a bidder that reads queries gets synthetic ones, and copies are planned
 * from then on. For others there will never be any, so that policies which need no views must not wait for them.
 */
function viewsFor(
  queries: KnownQueries | undefined,
  { state }: PlannedCrawl,
): BudgetSetup['views'] {
  const without = queries ? undefined : NO_VIEWS
  const numberOf = (url: string) => state.frontier.urls.find(url)
  return () => (state.tracker ? viewsOfTopAnswers(state.tracker.answers, numberOf) : without)
}

/** What searchers ask, where the bidder for new pages reads it. */
async function queriesFor(
  { name, bidders: { acquire } }: Composition,
  opened: PlannedCrawl,
  now: number,
  { needyShare, topK, matchShare, longestNgram, engine }: PolicyOptions,
): Promise<KnownQueries | undefined> {
  if (acquire === undefined || !readsQueries(acquire)) return undefined
  const { store, state } = opened
  return new KnownQueries({
    frontier: state.frontier,
    index: needIndex(name, opened),
    queries: await store.queries(now),
    synthesise: () => store.madeUpQueries(),
    ...{ reader: acquire, most: MOST_QUERIES },
    ...{ needyShare, topK, matchShare, longestNgram, engine },
  })
}

function needIndex(name: string, { state }: PlannedCrawl) {
  if (state.indexer) return state.indexer.index
  throw new SettingError(
    'policy',
    `{policy} ${name} goes by how queries are answered, so it needs the index: crawl without {noIndex}, or choose {policy} pagerank`,
  )
}
