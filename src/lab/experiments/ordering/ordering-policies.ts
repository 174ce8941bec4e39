import { SettingError } from '#errors/setting-error.ts'
import { type Bidder, readsQueries } from '#policy/bidder.ts'
import { KnownQueries } from '#policy/facts/known-queries.ts'
import { acquireCandidates } from '#policy/orders/acquire-candidates.ts'
import { type BudgetPlanner, newPagesPlanner } from '#policy/planning/budget-planner.ts'
import { hintAt } from '#policy/registry/policy-name.ts'
import { REGISTRY, type Registry } from '#policy/registry/registry.ts'
import type { Scoring } from '#search/full-text/scoring.ts'
import type { QueryProgress } from '#workload/improvability.ts'
import type { Query } from '#workload/workload.ts'
import type { WorldCrawl } from '../../worlds/world-crawl.ts'

/** What a policy is told when an experiment begins. */
export interface OrderingTask {
  readonly crawl: WorldCrawl
  /** The queries it may learn from; it is judged by others. */
  readonly training: readonly Query[]
  readonly seed: number
  /** Searchers look at so many results, ranked by this scoring. */
  readonly k: number
  readonly scoring: Scoring
  /** The share of the training queries that get a sketch. */
  readonly needyShare: number
  /** What fetching did for queries before, which tells policies of the paper who is needy. */
  readonly progress: readonly QueryProgress[]
  /** Of the paper's policies: ρ and g, as printed if left out. */
  readonly matchShare?: number
  readonly longestNgram?: number
  /** For clairvoyant orders only: what a page is worth to a sample's searchers (the needy of training), by URL. */
  readonly trueWorth: (sample: Sample, measure: TrueMeasure) => (url: number) => number
}

export type Sample = 'training' | 'test'

/** `impact`: how often it is among the first K. `quality`: what it adds to the quality of the answers. */
type TrueMeasure = 'impact' | 'quality'

export interface OrderingPolicy {
  /** One line for `--help`. */
  readonly summary: string
  /** Whether it makes sketches, and so heeds `needyShare`. */
  readonly usesQueries?: boolean
  /** Whether it bids the quality it expects, a search: that can be checked. */
  readonly bidsInQuality?: boolean
  /** Made ready for a crawl that has fetched something already. */
  planner(task: OrderingTask): BudgetPlanner
}

/** A bidder for new pages at work, learning as a live crawl does. */
function orderedBy(bidder: Bidder): OrderingPolicy {
  return {
    summary: bidder.summary,
    usesQueries: readsQueries(bidder),
    bidsInQuality: bidder.unit === 'quality',
    planner: (task) => {
      const queries = readsQueries(bidder) ? queriesFor(bidder, task) : undefined
      return newPagesPlanner(bidder, task.crawl.state.lessons, queries)
    },
  }
}

/** The training queries: the weightiest get sketches, unless a policy of the paper chooses the neediest itself. */
function queriesFor(reader: Bidder, task: OrderingTask): KnownQueries {
  const { crawl, training, needyShare, k: topK, scoring } = task
  const { progress, matchShare, longestNgram } = task
  return new KnownQueries({
    ...{ frontier: crawl.state.frontier, index: crawl.index, queries: training, reader },
    ...{ scoring, progress, topK, matchShare, longestNgram, needyShare },
  })
}

/** The order of one who knows what searchers of a sample will see: a bound, not a policy. */
function clairvoyant(sample: Sample, measure: TrueMeasure): OrderingPolicy {
  return {
    summary: `by true ${measure} for the ${sample} queries`,
    ...(sample === 'training' && { usesQueries: true }),
    planner: ({ crawl, trueWorth }) => {
      const worthOf = trueWorth(sample, measure)
      const whyOf = (url: number) => `its ${measure} for the ${sample} queries is ${worthOf(url)}`
      const bidder: Bidder = {
        ...{ name: 'clairvoyant', summary: '', task: 'acquire', unit: 'rank' },
        needs: ['candidates'],
        bids: (facts) => acquireCandidates(facts, worthOf, whyOf),
      }
      return newPagesPlanner(bidder, crawl.state.lessons)
    },
  }
}

const CLAIRVOYANTS: Readonly<Record<string, OrderingPolicy>> = {
  'clairvoyant-training': clairvoyant('training', 'impact'),
  'clairvoyant-test': clairvoyant('test', 'impact'),
  'clairvoyant-quality': clairvoyant('test', 'quality'),
}

/** Whom experiments compare unless others are named. */
export const USUAL_ORDERINGS: readonly string[] = [
  ...['random', 'bfs', 'indegree', 'pagerank'],
  ...['query-independent', 'query-driven', 'hybrid-paper', 'hybrid', 'impact'],
  ...Object.keys(CLAIRVOYANTS),
]

/** The order of that name: of a bidder for new pages, or of a clairvoyant; or a SettingError that lists the names. */
export function orderingPolicyNamed(name: string, registry: Registry = REGISTRY): OrderingPolicy {
  if (Object.hasOwn(CLAIRVOYANTS, name)) return CLAIRVOYANTS[name]
  const bidder = registry.named(name)
  if (bidder?.task === 'acquire') return orderedBy(bidder)
  const names = [...registry.of('acquire').map((one) => one.name), ...Object.keys(CLAIRVOYANTS)]
  throw new SettingError(
    'policies',
    `{policies} must be of ${names.join(', ')}, not "${name}".${hintAt(name, names)}`,
  )
}
