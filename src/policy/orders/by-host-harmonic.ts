import { harmonicCentrality } from '#importance/harmonic.ts'
import { linksBetween } from '#importance/links-between.ts'
import { pageRank } from '#importance/pagerank.ts'
import type { Bidder } from '../bidder.ts'
import { acquireCandidates } from './acquire-candidates.ts'

/**
 * Bids for candidates by how near their host is to all others: 1 for itself, and its harmonic
 * centrality among hosts. URLs of one host are told apart by PageRank, which has fewer ties than
 * in-degree has; on a web of one host the policy is PageRank.
 */
export const byHostHarmonic: Bidder = {
  name: 'host-harmonic',
  summary: 'hosts nearest to all others first, their best pages by PageRank first',
  task: 'acquire',
  unit: 'rank',
  needs: ['candidates', 'links', 'hosts'],
  bids: (facts) => {
    const { links, hosts, seed } = facts
    const centrality = harmonicCentrality(linksBetween(links, hosts), { seed })
    const placeInHost = placesByPageRank(pageRank(links))
    // Centrality in single precision leaves the last 29 bits of a gain to the PageRank.
    const gainOf = (url: number): number =>
      Math.fround(1 + centrality[hosts[url]]) * (1 + placeInHost(url) * 2 ** -24)
    return acquireCandidates(
      facts,
      gainOf,
      (url) => `its host has harmonic centrality ${centrality[hosts[url]].toPrecision(3)}`,
    )
  },
}

/** From 0 for the lowest rank to just under 1 for the highest, by the logarithm. */
function placesByPageRank(ranks: Float64Array): (url: number) => number {
  let lowest = Number.POSITIVE_INFINITY
  let highest = 0
  for (let url = 0; url < ranks.length; url++) {
    lowest = Math.min(lowest, ranks[url])
    highest = Math.max(highest, ranks[url])
  }
  const span = Math.log(highest / lowest)
  return (url) => (span > 0 ? (0.999 * Math.log(ranks[url] / lowest)) / span : 0)
}
