import { opicCash } from '#importance/opic.ts'
import type { Bidder } from '../bidder.ts'
import { acquireCandidates } from './acquire-candidates.ts'

/** Bids for candidates by the cash that visited pages passed to them, in multiples of the average. */
export const byOpic: Bidder = {
  name: 'opic',
  summary: 'most cash from visited pages first',
  task: 'acquire',
  unit: 'rank',
  needs: ['candidates', 'links', 'visits', 'domains'],
  bids: (facts) => {
    const { cash } = opicCash(facts.links, facts.visits, facts.domains.length)
    const timesAverage = (url: number): number => cash[url] * cash.length
    return acquireCandidates(
      facts,
      timesAverage,
      (url) => `holds ${timesAverage(url).toPrecision(2)} times the average cash`,
    )
  },
}
