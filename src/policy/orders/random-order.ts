import type { GraphFacts } from '#frontier/graph-facts.ts'
import { mixHash } from '#numeric/hash.ts'
import type { Bids } from '../bids.ts'
import { acquireCandidates } from './acquire-candidates.ts'

/** Bids for candidates by lot; the seed decides the lots. */
export function randomOrder(facts: GraphFacts): Bids {
  return acquireCandidates(
    facts,
    (url) => mixHash(facts.seed, url) / 0x100000000,
    () => 'drawn by lot',
  )
}
