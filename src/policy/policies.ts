import type { GraphFacts } from '#frontier/graph-facts.ts'
import { editDistance } from '#numeric/edit-distance.ts'
import { UsageError } from '#parse/usage-error.ts'
import type { Policy } from './bids.ts'
import { breadthFirst } from './breadth-first.ts'
import { byInDegree } from './by-in-degree.ts'
import { byOpic } from './by-opic.ts'
import { byPageRank } from './by-pagerank.ts'
import { byTransDomainInDegree } from './by-trans-domain-in-degree.ts'
import { randomOrder } from './random-order.ts'

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
}

/** The policy of that name, or a UsageError that lists the names. */
export function policyNamed(name: string): Policy<GraphFacts> {
  if (Object.hasOwn(POLICIES, name)) return POLICIES[name].policy
  const names = Object.keys(POLICIES)
  const slips = names.map((known) => editDistance(name.toLowerCase(), known))
  const fewest = Math.min(...slips)
  const hint = fewest <= name.length / 3 ? ` Did you mean ${names[slips.indexOf(fewest)]}?` : ''
  throw new UsageError(`--policy must be one of ${names.join(', ')}, not "${name}".${hint}`)
}
