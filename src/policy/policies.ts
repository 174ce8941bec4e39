import { UsageError } from '#errors/usage-error.ts'
import type { GraphFacts } from '#frontier/graph-facts.ts'
import { editDistance } from '#numeric/edit-distance.ts'
import type { Policy } from './bids.ts'
import { breadthFirst } from './orders/breadth-first.ts'
import { byHostHarmonic } from './orders/by-host-harmonic.ts'
import { byInDegree } from './orders/by-in-degree.ts'
import { byOpic } from './orders/by-opic.ts'
import { byPageRank } from './orders/by-pagerank.ts'
import { byRankMass } from './orders/by-rank-mass.ts'
import { byTransDomainInDegree } from './orders/by-trans-domain-in-degree.ts'
import { randomOrder } from './orders/random-order.ts'

export interface NamedPolicy {
  readonly policy: Policy<GraphFacts>
  /** One line for `--help`. */
  readonly summary: string
}

/** Every policy a user can name. */
export const POLICIES: Readonly<Record<string, NamedPolicy>> = {
  random: { policy: randomOrder, summary: 'in random order' },
  bfs: { policy: breadthFirst, summary: 'nearest to the seeds first' },
  indegree: { policy: byInDegree, summary: 'most linking pages first' },
  'td-indegree': {
    policy: byTransDomainInDegree,
    summary: 'most linking pages of other domains first',
  },
  pagerank: { policy: byPageRank, summary: 'highest PageRank first' },
  opic: { policy: byOpic, summary: 'most cash from visited pages first' },
  rankmass: { policy: byRankMass, summary: 'most surely reached from the seeds first' },
  'host-harmonic': {
    policy: byHostHarmonic,
    summary: 'hosts nearest to all others first, their best pages by PageRank first',
  },
}

/** The policy of that name, or a UsageError that lists the names. */
export function policyNamed(name: string): Policy<GraphFacts> {
  if (Object.hasOwn(POLICIES, name)) return POLICIES[name].policy
  const names = Object.keys(POLICIES)
  throw new UsageError(
    `--policy must be one of ${names.join(', ')}, not "${name}".${hintAt(name, names)}`,
  )
}

/** A question after the name that was probably meant; empty if none comes near. */
export function hintAt(name: string, names: readonly string[]): string {
  const slips = names.map((known) => editDistance(name.toLowerCase(), known))
  const fewest = Math.min(...slips)
  return fewest <= name.length / 3 ? ` Did you mean ${names[slips.indexOf(fewest)]}?` : ''
}
