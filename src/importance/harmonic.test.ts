import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Csr, csrFromEdges, distinctRows, rowCount, rowOf } from '#numeric/csr.ts'
import { seededRandom } from '#numeric/random.ts'
import { harmonicCentrality } from './harmonic.ts'

function linksOf(nodes: number, edges: readonly (readonly [number, number])[]): Csr {
  const sources = Uint32Array.from(edges, ([source]) => source)
  const targets = Uint32Array.from(edges, ([, target]) => target)
  return distinctRows(csrFromEdges(nodes, sources, targets))
}

/** One breadth-first walk a source. */
function naiveCentrality(links: Csr): number[] {
  const centrality = new Array<number>(rowCount(links)).fill(0)
  for (let source = 0; source < centrality.length; source++) {
    const distances = new Map([[source, 0]])
    for (const [node, distance] of distances) {
      for (const target of rowOf(links, node)) {
        if (!distances.has(target)) distances.set(target, distance + 1)
      }
    }
    distances.delete(source)
    for (const [node, distance] of distances) centrality[node] += 1 / distance
  }
  return centrality
}

/** More nodes than walk at a time, so that walks come in several batches. */
const graph = fc.integer({ min: 0, max: 80 }).chain((nodes) => {
  const node = fc.nat(Math.max(0, nodes - 1))
  const edges = fc.array(fc.tuple(node, node), { maxLength: nodes === 0 ? 0 : 160 })
  return edges.map((pairs) => linksOf(nodes, pairs))
})

test('centrality agrees with one walk a source, whatever the graph', () => {
  fc.assert(
    fc.property(graph, (links) => {
      const centrality = harmonicCentrality(links)
      naiveCentrality(links).forEach((expected, node) => {
        expect(centrality[node]).toBeCloseTo(expected, 10)
      })
    }),
  )
})

test('on a chain every node hears from all before it', () => {
  expect([
    ...harmonicCentrality(
      linksOf(4, [
        [0, 1],
        [1, 2],
        [2, 3],
      ]),
    ),
  ]).toEqual([
    // biome-ignore format: one graph
    0,
    1,
    1 + 1 / 2,
    1 + 1 / 2 + 1 / 3,
  ])
})

test('a walk with few steps estimates without bias, and the seed decides the sources', () => {
  const random = seededRandom(5)
  const edges = Array.from({ length: 900 }, () => [random.below(300), random.below(300)] as const)
  const links = linksOf(300, edges)
  const exact = naiveCentrality(links)
  const estimates = Array.from({ length: 200 }, (_, seed) =>
    harmonicCentrality(links, { maxSteps: 1, seed }),
  )
  expect(estimates[1]).not.toEqual(estimates[2])
  expect(harmonicCentrality(links, { maxSteps: 1, seed: 1 })).toEqual(estimates[1])
  const mean = exact.map((_, node) => estimates.reduce((sum, one) => sum + one[node], 0) / 200)
  const error = mean.reduce((sum, value, node) => sum + Math.abs(value - exact[node]), 0)
  expect(error / exact.reduce((sum, value) => sum + value, 0)).toBeLessThan(0.02)
})
