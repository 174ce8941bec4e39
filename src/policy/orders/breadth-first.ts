import type { GraphFacts } from '#frontier/graph-facts.ts'
import type { Bids } from '../bids.ts'
import { acquireCandidates } from './acquire-candidates.ts'

/** Bids for candidates by how near to a seed they are. */
export function breadthFirst(facts: GraphFacts): Bids {
  const { depths } = facts
  return acquireCandidates(
    facts,
    (url) => 1 / (1 + depths[url]),
    (url) => distance(depths[url]),
  )
}

function distance(depth: number): string {
  if (depth === 0) return 'a seed'
  return depth === 1 ? '1 link away from a seed' : `${depth} links away from a seed`
}
