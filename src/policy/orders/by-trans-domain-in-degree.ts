import { transDomainInDegree } from '#importance/trans-domain-in-degree.ts'
import type { Bidder } from '../bidder.ts'
import { acquireCandidates } from './acquire-candidates.ts'

/** Bids for candidates by how many pages of other domains link to them. */
export const byTransDomainInDegree: Bidder = {
  name: 'td-indegree',
  summary: 'most linking pages of other domains first',
  task: 'acquire',
  unit: 'rank',
  needs: ['candidates', 'links', 'domains'],
  bids: (facts) => {
    const degrees = transDomainInDegree(facts.links, facts.domains)
    return acquireCandidates(
      facts,
      (url) => degrees[url],
      (url) => linkingPages(degrees[url]),
    )
  },
}

function linkingPages(count: number): string {
  if (count === 0) return 'no page of another domain links to it yet'
  return count === 1
    ? '1 page of another domain links to it'
    : `${count} pages of other domains link to it`
}
