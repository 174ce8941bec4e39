import type { GraphFacts } from '#frontier/graph-facts.ts'
import { pageRank } from '#importance/pagerank.ts'
import type { Bids } from '../bids.ts'
import { acquireCandidates } from './acquire-candidates.ts'

/** Bids for candidates by PageRank, in multiples of the average URL's. */
export function byPageRank(facts: GraphFacts): Bids {
  const ranks = pageRank(facts.links)
  const timesAverage = (url: number): number => ranks[url] * ranks.length
  return acquireCandidates(
    facts,
    timesAverage,
    (url) => `PageRank ${timesAverage(url).toPrecision(2)} times the average`,
  )
}
