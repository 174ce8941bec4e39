import { BudgetPlanner, type BudgetSetup } from '#policy/planning/budget-planner.ts'
import { clicksOfSketches, NO_CLICKS } from '#policy/facts/views.ts'
import type { CrawlRules } from '#crawl/cycle.ts'
import { QueryDriven } from '#policy/facts/known-queries.ts'
import { QUERY_POLICIES } from '#crawl/query-policies.ts'
import { sketchedQueries } from '#policy/facts/sketched-queries.ts'
import { UsageError } from '#errors/usage-error.ts'
import { policyNamed } from '#policy/policies.ts'
import { REFRESH_POLICIES } from '#policy/refresh/refresh-policies.ts'
import { biddersOf, inQuality, isBudgetPolicy } from '../settings/policy-names.ts'
import type { OpenCrawl } from './open-crawl.ts'

/** So many queries at most get a sketch: the next ones are asked too seldom to pay for it. */
const MOST_QUERIES = 5_000

/** How a policy is to go about it, beside its name. */
export interface PolicyOptions {
  /** This share of the queries gets a sketch. */
  readonly needyShare?: number
  /** Copies younger than this many seconds are not fetched again. */
  readonly freshFor?: number
  /** This share of the fetches is drawn by lot. */
  readonly randomShare?: number
}

/** Whether a policy can do nothing without the index. */
export function readsQueries(policy: string): boolean {
  return Object.hasOwn(QUERY_POLICIES, policy) || isBudgetPolicy(policy)
}

/** The policy of that name, made ready for a crawl. */
export async function crawlPolicy(
  name: string,
  opened: OpenCrawl,
  now: number,
  options: PolicyOptions = {},
): Promise<CrawlRules['policy']> {
  if (isBudgetPolicy(name)) return budgetPlanner(name, opened, now, options)
  return acquirerNamed(name, opened, now, options)
}

async function budgetPlanner(
  name: string,
  opened: OpenCrawl,
  now: number,
  options: PolicyOptions,
): Promise<BudgetPlanner> {
  const { state, store } = opened
  const bidders = biddersOf(name)
  const { acquirer, refresher, discoverer, shares } = bidders
  needIndex(name, opened)
  const bidder = acquirer && (await acquirerNamed(acquirer, opened, now, options))
  const clicks = clicksFor(bidder, state)
  const { freshFor, randomShare } = options
  const price = await store.lastPrice()
  const owed = await store.setting(owedBy(name))
  const planner = new BudgetPlanner({
    lessons: state.lessons,
    ...(bidder && { acquirer: bidder }),
    ...(refresher && { refresher: REFRESH_POLICIES[refresher].policy }),
    inQuality: inQuality(bidders),
    discovers: discoverer !== undefined,
    ...(shares && { shares }),
    ...(owed !== undefined && { owed: JSON.parse(owed) }),
    ...(clicks && { clicks }),
    ...(freshFor !== undefined && { freshForSeconds: freshFor }),
    ...(randomShare !== undefined && { randomShare }),
    ...(price !== undefined && { price }),
  })
  return planner
}

/** Keeps what fixed shares owe each task for the next run; one that is killed forgets less than two fetches of each. */
export async function keepOwed(
  name: string,
  policy: CrawlRules['policy'],
  { store }: Pick<OpenCrawl, 'store'>,
): Promise<void> {
  const owed = policy instanceof BudgetPlanner ? policy.owed : undefined
  if (owed) await store.saveSetting(owedBy(name), JSON.stringify(owed))
}

const owedBy = (policy: string) => `owed by ${policy}`

/**
 * How often searchers see copies. Without a log, who reads queries makes some up and plans copies from then
 * on; nobody else ever will, so that policies which need no clicks must not wait for them.
 */
function clicksFor(
  acquirer: BudgetSetup['acquirer'] | '',
  { tracker }: OpenCrawl['state'],
): BudgetSetup['clicks'] {
  if (tracker) return () => clicksOfSketches(tracker.sketches)
  return acquirer instanceof QueryDriven ? undefined : () => NO_CLICKS
}

async function acquirerNamed(
  name: string,
  opened: OpenCrawl,
  now: number,
  { needyShare = 1 }: PolicyOptions,
) {
  if (!readsQueries(name)) return policyNamed(name)
  const { store, state } = opened
  const index = needIndex(name, opened)
  const { learns, bidsInQuality, begin } = QUERY_POLICIES[name]
  const { sketched, lessons } = sketchedQueries(await store.queries(now), needyShare, MOST_QUERIES)
  return new QueryDriven({
    policy: begin(index),
    bidsInQuality,
    learns,
    frontier: state.frontier,
    index,
    queries: sketched,
    lessons,
    madeUp: () => store.madeUpQueries(),
  })
}

function needIndex(name: string, { state }: OpenCrawl) {
  if (state.indexer) return state.indexer.index
  throw new UsageError(
    `--policy ${name} goes by how queries are answered, so it needs the index: crawl without --no-index, or choose --policy pagerank`,
  )
}
