import type { GraphFacts } from '#frontier/graph-facts.ts'
import { transDomainInDegree } from '#importance/trans-domain-in-degree.ts'
import type { Bids } from '../bids.ts'
import { acquireCandidates } from './acquire-candidates.ts'

/** Bids for candidates by how many pages of other domains link to them. */
export function byTransDomainInDegree(facts: GraphFacts): Bids {
  const degrees = transDomainInDegree(facts.links, facts.domains)
  return acquireCandidates(
    facts,
    (url) => degrees[url],
    (url) => linkingPages(degrees[url]),
  )
}

function linkingPages(count: number): string {
  if (count === 0) return 'no page of another domain links to it yet'
  return count === 1
    ? '1 page of another domain links to it'
    : `${count} pages of other domains link to it`
}
