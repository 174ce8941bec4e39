import type { GraphFacts } from '#frontier/graph-facts.ts'
import { opicCash } from '#importance/opic.ts'
import type { Bids } from '../bids.ts'
import { acquireCandidates } from './acquire-candidates.ts'

/** Bids for candidates by the cash that visited pages passed to them, in multiples of the average. */
export function byOpic(facts: GraphFacts): Bids {
  const { cash } = opicCash(facts.links, facts.visits, facts.domains.length)
  const timesAverage = (url: number): number => cash[url] * cash.length
  return acquireCandidates(
    facts,
    timesAverage,
    (url) => `holds ${timesAverage(url).toPrecision(2)} times the average cash`,
  )
}
