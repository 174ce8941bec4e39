import type { GraphFacts } from '#frontier/graph-facts.ts'
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

/** Letters to insert, delete or replace until one word is the other. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, i) => i)
  for (let i = 1; i <= from.length; i++) {
    const next = [i]
    for (let j = 1; j <= to.length; j++) {
      const replaced = row[j - 1] + (from[i - 1] === to[j - 1] ? 0 : 1)
      next.push(Math.min(replaced, row[j] + 1, next[j - 1] + 1))
    }
    row = next
  }
  return row[to.length]
}
