import type { Bidder } from '../bidder.ts'
import { acquireCandidates } from './acquire-candidates.ts'

/** Bids for candidates by how near to a seed they are. */
export const breadthFirst: Bidder = {
  name: 'bfs',
  summary: 'nearest to the seeds first',
  task: 'acquire',
  unit: 'rank',
  needs: ['candidates', 'depths'],
  bids: (facts) => {
    const { depths } = facts
    return acquireCandidates(
      facts,
      (url) => 1 / (1 + depths[url]),
      (url) => distance(depths[url]),
    )
  },
}

function distance(depth: number): string {
  if (depth === 0) return 'a seed'
  return depth === 1 ? '1 link away from a seed' : `${depth} links away from a seed`
}
