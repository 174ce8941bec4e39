import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Csr, csrFromEdges, distinctRows, rowCount, rowOf } from '#numeric/csr.ts'
import { linkFlow } from './link-flow.ts'
import { pageRank } from './pagerank.ts'

const URLS = 12
const url = fc.integer({ min: 0, max: URLS - 1 })
const graph = fc.array(fc.tuple(url, url), { maxLength: 60 }).map((edges) => linksOf(URLS, edges))

function linksOf(urlCount: number, edges: [number, number][]): Csr {
  const sources = Uint32Array.from(edges, ([source]) => source)
  const targets = Uint32Array.from(edges, ([, target]) => target)
  return distinctRows(csrFromEdges(urlCount, sources, targets))
}

/** The definition, followed for so many rounds that nothing moves any more. */
function naivePageRank(links: Csr, damping = 0.85): number[] {
  const count = rowCount(links)
  let ranks = new Array<number>(count).fill(1 / count)
  for (let round = 0; round < 300; round++) {
    const next = new Array<number>(count).fill((1 - damping) / count)
    ranks.forEach((rank, url) => {
      const targets = [...rowOf(links, url)]
      const receivers = targets.length > 0 ? targets : [...ranks.keys()]
      for (const target of receivers) next[target] += (damping * rank) / receivers.length
    })
    ranks = next
  }
  return ranks
}

/** Shares in single precision leave six digits at the usual damping. */
function expectSameRanks(ranks: ArrayLike<number>, expected: ArrayLike<number>): void {
  expect(ranks.length).toBe(expected.length)
  for (let i = 0; i < ranks.length; i++) {
    expect(Math.abs(ranks[i] / expected[i] - 1)).toBeLessThan(3e-6)
  }
}

const exact = { maxRounds: 300, tolerance: 0 }

test('ranks agree with the definition, whatever the graph', () => {
  fc.assert(
    fc.property(graph, fc.constantFrom(0, 0.5, 0.85), (links, damping) => {
      expectSameRanks(pageRank(links, { ...exact, damping }), naivePageRank(links, damping))
    }),
  )
})

test('mass is never lost, whatever the graph and however few the rounds', () => {
  fc.assert(
    fc.property(graph, fc.integer({ min: 0, max: 20 }), (links, maxRounds) => {
      const sum = pageRank(links, { maxRounds }).reduce((total, rank) => total + rank, 0)
      expect(sum).toBeCloseTo(1, 12)
    }),
  )
})

test('rounding never keeps it busy: it stops when only the last digits move', () => {
  let rounds = 0
  const ring = linksOf(
    URLS,
    [...Array(URLS).keys()].map((i) => [i, (i * 5 + 1) % URLS]),
  )
  pageRank(ring, { tolerance: 0, maxRounds: 10_000, onRound: () => rounds++ })
  expect(rounds).toBeLessThan(500)
})

test('it stops in the round that moves as much as the one before', () => {
  const pair = linksOf(2, [
    [0, 1],
    [1, 0],
  ])
  expect(movedByRounds(pair, { tolerance: -1 })).toEqual([0, 0])
})

function movedByRounds(links: Csr, options: Parameters<typeof pageRank>[1] = {}): number[] {
  const moved: number[] = []
  pageRank(links, { ...options, onRound: (mass) => moved.push(mass) })
  return moved
}

const path = linksOf(3, [[0, 1], [1, 2], [2, 1]]) // biome-ignore format: one graph

test('it makes as many rounds as it may, 50 unless told', () => {
  for (const maxRounds of [0, 1, 3])
    expect(movedByRounds(path, { maxRounds })).toHaveLength(maxRounds)
  expect(movedByRounds(path, { damping: 0.99 })).toHaveLength(50)
})

test('it stops at the first round that moves no more than the tolerance', () => {
  const moved = movedByRounds(path, { damping: 0.5, tolerance: 0, maxRounds: 20 })
  expect(movedByRounds(path, { damping: 0.5, tolerance: moved[7] })).toEqual(moved.slice(0, 8))
})

test('it stops where mass goes round for ever', () => {
  const pair = linksOf(3, [[0, 1], [1, 0], [2, 0]]) // biome-ignore format: one graph
  const twoThirds = expect.closeTo(2 / 3, 6)
  expect(movedByRounds(pair, { damping: 1 })).toEqual([twoThirds, twoThirds])
})

test('one URL takes a round, none takes none', () => {
  expect(movedByRounds(linksOf(1, []))).toEqual([0])
  expect(movedByRounds(linksOf(0, []))).toEqual([])
})

test('links laid out beforehand give the same ranks', () => {
  const links = linksOf(4, [[0, 1], [1, 2], [2, 0], [3, 0]]) // biome-ignore format: one graph
  expect(pageRank(links, { flow: linkFlow(links) })).toEqual(pageRank(links))
})

test('no URLs have no ranks, one URL has all, and strangers share evenly', () => {
  expect([...pageRank(linksOf(0, []))]).toEqual([])
  expect([...pageRank(linksOf(1, []))]).toEqual([1])
  expect([...pageRank(linksOf(4, []))]).toEqual([0.25, 0.25, 0.25, 0.25])
})
