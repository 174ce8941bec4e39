import type { Learnt } from '#crawl/learn.ts'
import { UsageError } from '#errors/usage-error.ts'
import type { GraphFacts } from '#frontier/graph-facts.ts'
import type { Bids, Policy } from '#policy/bids.ts'
import { acquireCandidates } from '#policy/orders/acquire-candidates.ts'
import { hintAt, POLICIES } from '#policy/policies.ts'
import type { Scoring } from '#search/full-text/scoring.ts'
import type { Query } from '#workload/workload.ts'
import type { CrawledState } from '../crawled-state.ts'
import { IMPACT_ORDERING } from './impact-ordering.ts'
import { PAPER_ORDERINGS } from './paper-ordering.ts'

/** What a policy is told when an experiment begins. */
export interface OrderingTask {
  readonly state: CrawledState
  /** The queries it may learn from; it is judged by others. */
  readonly training: readonly Query[]
  readonly seed: number
  /** Searchers look at so many results, ranked by this scoring. */
  readonly k: number
  readonly scoring: Scoring
  /** The share of the training queries that get a sketch. */
  readonly needyShare: number
  /** For clairvoyant orders only: what a page is worth to a sample's searchers (the needy of training), by URL. */
  readonly trueWorth: (sample: Sample, measure: TrueMeasure) => (url: number) => number
}

export type Sample = 'training' | 'test'

/** `impact`: how often it is among the first K. `quality`: what it adds to the quality of the answers. */
export type TrueMeasure = 'impact' | 'quality'

/** One policy at work on one crawl. */
export interface OrderingSession {
  /** Bids for any of the candidates, of which so many will be fetched before it is asked again. */
  bid(candidates: Uint32Array, budget: number): Bids
  /** What the fetches taught since it was last asked; the state has learnt it already. */
  learn?(learnt: readonly Learnt[]): void
}

export interface OrderingPolicy {
  /** One line for `--help`. */
  readonly summary: string
  /** Whether it makes sketches, and so heeds `needyShare`. */
  readonly usesQueries?: boolean
  /** Whether it bids the quality it expects, a search: that can be checked. */
  readonly bidsInQuality?: boolean
  /** Starts on a state that is crawled already; must leave the state as it is. */
  begin(task: OrderingTask): OrderingSession
}

/** A policy that looks at links only. */
export function linkBased(policy: Policy<GraphFacts>, summary: string): OrderingPolicy {
  return {
    summary,
    begin: ({ state, seed }) => ({
      bid: (candidates) => policy({ ...state.frontier.graphFacts(state.now, seed), candidates }),
    }),
  }
}

/** The order of one who knows what searchers of a sample will see: a bound, not a policy. */
function clairvoyant(sample: Sample, measure: TrueMeasure): OrderingPolicy {
  return {
    summary: `by true ${measure} for the ${sample} queries`,
    ...(sample === 'training' && { usesQueries: true }),
    begin: ({ state, seed, trueWorth }) => {
      const worthOf = trueWorth(sample, measure)
      return {
        bid: (candidates) =>
          acquireCandidates(
            { ...state.frontier.graphFacts(state.now, seed), candidates },
            worthOf,
            (url) => `its ${measure} for the ${sample} queries is ${worthOf(url)}`,
          ),
      }
    },
  }
}

const builtIn = (name: string) => linkBased(POLICIES[name].policy, POLICIES[name].summary)

/** Every order an experiment can compare, by name. */
export const ORDERING_POLICIES: Readonly<Record<string, OrderingPolicy>> = {
  random: builtIn('random'),
  bfs: builtIn('bfs'),
  indegree: builtIn('indegree'),
  pagerank: builtIn('pagerank'),
  ...PAPER_ORDERINGS,
  impact: IMPACT_ORDERING,
  'clairvoyant-training': clairvoyant('training', 'impact'),
  'clairvoyant-test': clairvoyant('test', 'impact'),
  'clairvoyant-quality': clairvoyant('test', 'quality'),
}

/** The policy of that name, the user's own before ours, or a UsageError that lists the names. */
export function orderingPolicyNamed(
  name: string,
  own: Readonly<Record<string, OrderingPolicy>> = {},
): OrderingPolicy {
  const known = { ...ORDERING_POLICIES, ...own }
  if (Object.hasOwn(known, name)) return known[name]
  const names = Object.keys(known)
  throw new UsageError(
    `--policies must be of ${names.join(', ')}, not "${name}".${hintAt(name, names)}`,
  )
}
