import { pageRank } from '#importance/pagerank.ts'
import type { Bidder } from '../bidder.ts'
import { acquireCandidates } from './acquire-candidates.ts'

/** Bids for candidates by PageRank, in multiples of the average URL's. */
export const byPageRank: Bidder = {
  name: 'pagerank',
  summary: 'highest PageRank first',
  task: 'acquire',
  unit: 'rank',
  needs: ['candidates', 'links'],
  bids: (facts) => {
    const ranks = pageRank(facts.links)
    const timesAverage = (url: number): number => ranks[url] * ranks.length
    return acquireCandidates(
      facts,
      timesAverage,
      (url) => `PageRank ${timesAverage(url).toPrecision(2)} times the average`,
    )
  },
}
