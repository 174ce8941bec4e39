import { mixHash } from '#numeric/hash.ts'
import type { Bidder } from '../bidder.ts'
import { acquireCandidates } from './acquire-candidates.ts'

/** Bids for candidates at random, by the seed. */
export const randomOrder: Bidder = {
  name: 'random',
  summary: 'in random order',
  task: 'acquire',
  unit: 'rank',
  needs: ['candidates'],
  bids: (facts) => {
    return acquireCandidates(
      facts,
      (url) => mixHash(facts.seed, url) / 0x100000000,
      () => 'sampled at random',
    )
  },
}
