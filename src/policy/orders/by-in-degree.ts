import { inDegree } from '#importance/in-degree.ts'
import type { Bidder } from '../bidder.ts'
import { acquireCandidates } from './acquire-candidates.ts'

/** Bids for candidates by how many pages link to them. */
export const byInDegree: Bidder = {
  name: 'indegree',
  summary: 'most linking pages first',
  task: 'acquire',
  unit: 'rank',
  needs: ['candidates', 'links', 'domains'],
  bids: (facts) => {
    const degrees = inDegree(facts.links, facts.domains.length)
    return acquireCandidates(
      facts,
      (url) => degrees[url],
      (url) => linkingPages(degrees[url]),
    )
  },
}

function linkingPages(count: number): string {
  if (count === 0) return 'no page links to it yet'
  return count === 1 ? '1 page links to it' : `${count} pages link to it`
}
