import type { CrawlRules } from '#crawl/cycle.ts'
import { QueryDriven } from '#crawl/query-driven.ts'
import { QUERY_POLICIES } from '#crawl/query-policies.ts'
import { sketchedQueries } from '#crawl/sketched-queries.ts'
import { UsageError } from '#parse/usage-error.ts'
import { POLICIES, policyNamed } from '#policy/policies.ts'
import type { OpenCrawl } from './open-crawl.ts'

/** So many queries at most get a sketch: the next ones are asked too seldom to pay for it. */
const MOST_QUERIES = 5_000

/** Every policy that `--policy` knows, with its line for `--help`. */
export const CRAWL_POLICIES: Readonly<Record<string, { readonly summary: string }>> = {
  ...POLICIES,
  ...QUERY_POLICIES,
}

/** Whether a policy can do nothing without the index. */
export function readsQueries(policy: string): boolean {
  return Object.hasOwn(QUERY_POLICIES, policy)
}

/** The policy of that name, made ready for a crawl; `needyShare` of the queries get a sketch. */
export async function acquirePolicy(
  name: string,
  { state, store }: OpenCrawl,
  now: number,
  needyShare = 1,
): Promise<CrawlRules['policy']> {
  if (!readsQueries(name)) return policyNamed(name)
  if (!state.indexer)
    throw new UsageError(
      `--policy ${name} goes by how queries are answered, so it needs the index: leave out --no-index, or choose --policy pagerank`,
    )
  const { index } = state.indexer
  const { learns, begin } = QUERY_POLICIES[name]
  const { sketched, lessons } = sketchedQueries(await store.queries(now), needyShare, MOST_QUERIES)
  return new QueryDriven({
    policy: begin(index),
    learns,
    frontier: state.frontier,
    index,
    queries: sketched,
    lessons,
    madeUp: () => store.madeUpQueries(),
  })
}
