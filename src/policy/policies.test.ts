import { describe, expect, test } from 'vitest'
import type { GraphFacts } from '#frontier/graph-facts.ts'
import { UsageError } from '#parse/usage-error.ts'
import { POLICIES, policyNamed } from './policies.ts'
import { graphFacts, obeysThePolicyContract, variedGraphFacts } from './policy-contract.test-kit.ts'

for (const [kind, facts] of Object.entries(variedGraphFacts())) {
  describe(`with ${kind}`, () => {
    for (const [name, { policy }] of Object.entries(POLICIES)) {
      obeysThePolicyContract(name, policy, facts)
    }
  })
}

/** Candidates 2 to 5: 2 is linked by 0 and 1, 3 by 0 of the same domain, 4 by 1, 5 by nobody. */
const facts = graphFacts(6, [[0, 2], [1, 2], [0, 3], [1, 4]], { domains: Uint32Array.of(0, 1, 1, 0, 0, 2) }) // biome-ignore format: one graph

function bestFirst(name: string, given: GraphFacts = facts): string[] {
  const { urls, gains, why } = policyNamed(name)(given)
  return [...urls.keys()]
    .sort((a, b) => gains[b] - gains[a] || urls[a] - urls[b])
    .map((i) => `${urls[i]}: ${why(i)}`)
}

test('breadth-first bids most for what is near to a seed', () => {
  const depths = Uint16Array.of(0, 0, 3, 1, 2, 0)
  expect(bestFirst('bfs', { ...facts, depths })).toEqual([
    '5: a seed',
    '3: 1 link away from a seed',
    '4: 2 links away from a seed',
    '2: 3 links away from a seed',
  ])
})

test('in-degree bids most for what many pages link to', () => {
  expect(bestFirst('indegree')).toEqual([
    '2: 2 pages link to it',
    '3: 1 page links to it',
    '4: 1 page links to it',
    '5: no page links to it yet',
  ])
})

test('trans-domain in-degree ignores links from the same domain', () => {
  expect(bestFirst('td-indegree')).toEqual([
    '2: 1 page of another domain links to it',
    '4: 1 page of another domain links to it',
    '3: no page of another domain links to it yet',
    '5: no page of another domain links to it yet',
  ])
})

test('PageRank and OPIC bid in multiples of the average', () => {
  expect(bestFirst('pagerank')[0]).toMatch(/^2: PageRank 1\.\d times the average$/)
  expect(bestFirst('opic')[0]).toMatch(/^2: holds 1\.\d times the average cash$/)
  expect(bestFirst('pagerank').at(-1)).toMatch(/^5: PageRank 0\.\d+ times the average$/)
})

test('random bids follow the seed', () => {
  const known = graphFacts(50, [])
  const order = bestFirst('random', known)
  expect(bestFirst('random', { ...known, seed: 2 })).not.toEqual(order)
})

test('a name with a slip is refused with the name that was meant', () => {
  expect(() => policyNamed('page-rank')).toThrow(UsageError)
  expect(() => policyNamed('page-rank')).toThrow(
    '--policy must be one of random, bfs, indegree, td-indegree, pagerank, opic, not "page-rank". Did you mean pagerank?',
  )
  expect(() => policyNamed('td-indegre')).toThrow('Did you mean td-indegree?')
  expect(() => policyNamed('best')).toThrow(/not "best"\.$/)
  expect(() => policyNamed('constructor')).toThrow(UsageError)
})
