import type { GraphFacts } from '#frontier/graph-facts.ts'
import { pageRank } from '#importance/pagerank.ts'
import type { Registry } from '#policy/registry/registry.ts'
import type { OpenCrawl } from '../open/open-crawl.ts'
import { type DraftedPlan, draftPlan } from '../plan/plan-fetches.ts'
import type { Settings } from '../settings/settings.ts'
import { type Bidding, biddingOf } from './bidding.ts'

/** What explaining any URL of a crawl takes: each is worked out when it is first needed, and once. */
export interface Prepared {
  drafted(): Promise<DraftedPlan & { readonly bidding: Bidding }>
  graph(): GraphFacts
  /** PageRank by URL. */
  ranks(): Float64Array
}

/** Gets ready to explain URLs by a plan of so many fetches. */
export function prepare(
  opened: OpenCrawl,
  settings: Settings,
  budget: number,
  registry: Registry,
): Prepared {
  const draft = async () => {
    const made = await draftPlan(opened, settings, budget, registry)
    return { ...made, bidding: biddingOf(made.policy, made.request) }
  }
  let drafted: ReturnType<typeof draft> | undefined
  let graph: GraphFacts | undefined
  let ranks: Float64Array | undefined
  const graphNow = () => {
    graph ??= opened.state.frontier.graphFacts(opened.now, settings.seed)
    return graph
  }
  return {
    drafted: () => {
      drafted ??= draft()
      return drafted
    },
    graph: graphNow,
    ranks: () => {
      ranks ??= pageRank(graphNow().links)
      return ranks
    },
  }
}
