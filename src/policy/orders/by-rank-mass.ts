import { rankMass } from '#importance/rank-mass.ts'
import type { Bidder } from '../bidder.ts'
import { acquireCandidates } from './acquire-candidates.ts'

/** Bids for candidates by the mass that is sure to reach them from the seeds, which are trusted. */
export const byRankMass: Bidder = {
  name: 'rankmass',
  summary: 'most surely reached from the seeds first',
  task: 'acquire',
  unit: 'rank',
  needs: ['candidates', 'links', 'depths'],
  bids: (facts) => {
    const mass = rankMass(facts.links, seedsAmong(facts.depths))
    const timesAverage = (url: number): number => mass[url] * mass.length
    return acquireCandidates(facts, timesAverage, (url) =>
      mass[url] === 0
        ? 'no known way leads to it from a seed'
        : `mass from the seeds ${timesAverage(url).toPrecision(2)} times an even share`,
    )
  },
}

function seedsAmong(depths: Uint16Array): Uint32Array {
  const seeds: number[] = []
  for (let url = 0; url < depths.length; url++) if (depths[url] === 0) seeds.push(url)
  return Uint32Array.from(seeds)
}
