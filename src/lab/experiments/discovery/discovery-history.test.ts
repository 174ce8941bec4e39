import { expect, test } from 'vitest'
import { csrFromEdges } from '#numeric/csr.ts'
import type { CoverGraph } from '../../covers/cover-graph.ts'
import { historyOf } from './discovery-history.ts'

/** Old pages and how many new ones each leads to, no two to the same. */
function leadingTo(counts: Readonly<Record<number, number>>): CoverGraph {
  const edges = Object.values(counts).flatMap((count, row) => Array<number>(count).fill(row))
  return {
    oldPages: Uint32Array.from(Object.keys(counts), Number),
    newPages: Uint32Array.from(edges, (_, i) => 100 + i),
    covers: csrFromEdges(
      Object.keys(counts).length,
      Uint32Array.from(edges),
      Uint32Array.from(edges.keys()),
    ),
    orphans: 0,
  }
}

/** Page 0 leads to new pages in the first three of four weeks, page 1 from the second on, page 2 in the last. */
const graphs = [
  undefined,
  leadingTo({ 0: 1 }),
  leadingTo({ 0: 2, 1: 3 }),
  leadingTo({ 0: 4, 1: 1 }),
  leadingTo({ 1: 5, 2: 7 }),
]
const site = { graphs, isLive: () => true, liveCount: () => 10, bornAt: () => 0 }
const found = historyOf(site, [1, 2], [1, 9])

test('the bound of history is what pages lead to that led to something at a recrawl before', () => {
  expect(found.history).toEqual([0, 2, 5, 5])
  expect(found.bounds).toEqual([
    { period: 1, covered: 12, discoverable: 23, settledCovered: 10, settledDiscoverable: 17 },
    // Recrawls are in weeks 2 and 4, so weeks 3 and 4 know of pages 0 and 1.
    { period: 2, covered: 10, discoverable: 23, settledCovered: 10, settledDiscoverable: 17 },
  ])
})

test('od-all is od-win with a recrawl every week, and nothing else', () => {
  const talliesOf = (name: string) => found.tallies.filter(({ algorithm }) => algorithm === name)
  const weekly = talliesOf('od-win').filter(({ period }) => period === 1)
  expect(talliesOf('od-all')).toEqual(weekly.map((tally) => ({ ...tally, algorithm: 'od-all' })))
})
