import { SettingError } from '#errors/setting-error.ts'
import type { LearntFetch } from '#learn/entries/learnt-fetch.ts'
import { Lessons } from '#learn/lessons.ts'
import { type Bidder, readsQueries } from '#policy/bidder.ts'
import type { Bids } from '#policy/bids.ts'
import { AddressShapes } from '#policy/facts/address-shapes.ts'
import { crawlFacts } from '#policy/facts/crawl-facts.ts'
import { QueryKnowledge } from '#policy/facts/query-knowledge.ts'
import { sketchedQueries } from '#policy/facts/sketched-queries.ts'
import { acquireCandidates } from '#policy/orders/acquire-candidates.ts'
import { hintAt } from '#policy/registry/policy-name.ts'
import { REGISTRY, type Registry } from '#policy/registry/registry.ts'
import type { Scoring } from '#search/full-text/scoring.ts'
import type { QueryProgress } from '#workload/improvability.ts'
import type { Query } from '#workload/workload.ts'
import type { CrawledState } from '../../crawls/crawled-state.ts'

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

/** One policy at work on one crawl. */
interface OrderingSession {
  /** Bids for any of the candidates, of which so many will be fetched before it is asked again. */
  bid(candidates: Uint32Array, budget: number): Bids
  /** What the fetches taught since it was last asked; the state has learnt it already. */
  learn?(learnt: readonly LearntFetch[]): void
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

/** A bidder for new pages at work, learning as a live crawl would. */
function orderedBy(bidder: Bidder): OrderingPolicy {
  return {
    summary: bidder.summary,
    usesQueries: readsQueries(bidder),
    bidsInQuality: bidder.unit === 'quality',
    begin: (task) => {
      const { state, seed } = task
      const source = {
        lessons: new Lessons(state.frontier),
        shapes: new AddressShapes(state.frontier.urls),
        ...(readsQueries(bidder) && { asked: knowledgeFor(bidder, task) }),
      }
      const moment = { now: state.now, seed, mayRefetch: () => true }
      return {
        bid: (candidates, budget) =>
          bidder.bids(crawlFacts(source, { ...moment, candidates, budget })),
      }
    },
  }
}

/** The training queries: the weightiest get sketches, unless a policy of the paper chooses the neediest itself. */
function knowledgeFor({ choosesNeedy }: Bidder, task: OrderingTask): QueryKnowledge {
  const { state, training, needyShare, k: topK, scoring } = task
  const { progress, matchShare, longestNgram } = task
  const { sketched, lessons } = sketchedQueries(training, choosesNeedy ? 1 : needyShare)
  return new QueryKnowledge(state.frontier, state.index, sketched, {
    ...{ scoring, lessons, progress, topK, matchShare, longestNgram },
    ...(choosesNeedy && { needyShare }),
  })
}

/** The order of one who knows what searchers of a sample will see: a bound, not a policy. */
function clairvoyant(sample: Sample, measure: TrueMeasure): OrderingPolicy {
  return {
    summary: `by true ${measure} for the ${sample} queries`,
    ...(sample === 'training' && { usesQueries: true }),
    begin: ({ trueWorth }) => {
      const worthOf = trueWorth(sample, measure)
      const whyOf = (url: number) => `its ${measure} for the ${sample} queries is ${worthOf(url)}`
      return { bid: (candidates) => acquireCandidates({ candidates }, worthOf, whyOf) }
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
