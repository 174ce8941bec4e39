import { expect, test } from 'vitest'
import type { GraphFacts } from '#frontier/graph-facts.ts'
import { someFacts } from '../facts/facts.ts'
import { graphFacts, variedGraphFacts } from '../facts/graph-facts.test-kit.ts'
import { REGISTRY } from '../registry/registry.ts'

/** Candidates 2 to 5: 2 is linked by 0 and 1, 3 by 0 of the same domain, 4 by 1, 5 by nobody. */
const facts = graphFacts(6, [[0, 2], [1, 2], [0, 3], [1, 4]], { domains: Uint32Array.of(0, 1, 1, 0, 0, 2) }) // biome-ignore format: one graph

function bestFirst(name: string, given: GraphFacts = facts): string[] {
  const { urls, gains, why } = REGISTRY.named(name)!.bids(someFacts(given))
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

test('RankMass bids for what is surely reached from the seeds', () => {
  const bids = bestFirst('rankmass', { ...facts, depths: Uint16Array.of(0, 1, 2, 1, 2, 3) })
  expect(bids[0]).toMatch(/^2: mass from the seeds 0\.\d+ times an even share$/)
  expect(bids.slice(2)).toEqual([
    '4: no known way leads to it from a seed',
    '5: no known way leads to it from a seed',
  ])
})

test('host-harmonic puts the nearest host first, and its pages by PageRank', () => {
  // Host 1 hears from host 0 and host 2; URLs 3 and 4 are its, 4 with two links.
  const hosts = Uint32Array.of(0, 0, 2, 1, 1, 3)
  const given = graphFacts(6, [[0, 4], [1, 4], [2, 3]], { hosts }) // biome-ignore format: one graph
  expect(bestFirst('host-harmonic', given)).toEqual([
    '4: its host has harmonic centrality 2.00',
    '3: its host has harmonic centrality 2.00',
    '5: its host has harmonic centrality 0.00',
  ])
})

test('on a web of one host, host-harmonic is PageRank', () => {
  const web = variedGraphFacts()['a larger random web']
  const given = { ...web, hosts: new Uint32Array(web.hosts.length) }
  const urlsOf = (name: string) => bestFirst(name, given).map((line) => Number.parseInt(line, 10))
  expect(urlsOf('host-harmonic')).toEqual(urlsOf('pagerank'))
})

test('random bids follow the seed', () => {
  const known = graphFacts(50, [])
  const order = bestFirst('random', known)
  expect(bestFirst('random', { ...known, seed: 2 })).not.toEqual(order)
})
