import type { Bidder } from '../bidder.ts'
import { acquireCandidates } from './acquire-candidates.ts'

/** The policy `pagerank` where ranks are worked out elsewhere, as for a web in buckets; the average URL has 1. */
export function byGivenRanks(ranks: Float64Array): Bidder {
  return {
    ...{ name: 'pagerank', summary: 'highest PageRank first', task: 'acquire', unit: 'rank' },
    needs: ['candidates'],
    bids: (facts) =>
      acquireCandidates(
        facts,
        (url) => ranks[url],
        (url) => `PageRank ${ranks[url].toPrecision(2)} times the average`,
      ),
  }
}
