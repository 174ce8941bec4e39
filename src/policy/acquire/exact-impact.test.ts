import fc from 'fast-check'
import { expect, test } from 'vitest'
import { seededRandom } from '#numeric/random.ts'
import { topVisibility } from '#search/gain/visibility.ts'
import {
  type ExactSketch,
  type SketchedPage,
  sampledImpacts,
  subsetsOf,
  worstCaseImpact,
} from './exact-impact.test-kit.ts'

const steep = (rank: number) => [1, 0.4, 0.2, 0.1][rank - 1] ?? 0
const anywhere = (page: number): SketchedPage => ({ page, low: 0, high: 1 })

test('two pages that may outrank each other guarantee more together than each alone', () => {
  const sketch: ExactSketch[] = [{ weight: 1, pages: [anywhere(0), anywhere(1)] }]
  expect(worstCaseImpact(sketch, new Set([0]), steep)).toBeCloseTo(0.4, 12)
  expect(worstCaseImpact(sketch, new Set([1]), steep)).toBeCloseTo(0.4, 12)
  expect(worstCaseImpact(sketch, new Set([0, 1]), steep)).toBeCloseTo(1.4, 12)
})

test('a known score leaves nothing to the worst case', () => {
  const sketch: ExactSketch[] = [
    {
      weight: 2,
      pages: [
        { page: 0, low: 3, high: 3 },
        { page: 1, low: 1, high: 2 },
        { page: 2, low: 0, high: 0 },
      ],
    },
  ]
  expect(worstCaseImpact(sketch, new Set([1]), steep)).toBeCloseTo(2 * 0.4, 12)
})

/** The instance that makes the densest subgraph out of the best pages, and its vertices' pages. */
function densestSubgraphInstance(
  vertices: number,
  edges: readonly (readonly [number, number])[],
  rank: number,
): ExactSketch[] {
  const degrees = Array.from(
    { length: vertices },
    (_, v) => edges.filter((e) => e.includes(v)).length,
  )
  const largest = Math.max(...degrees)
  let dummy = vertices
  const dummies = (count: number) => Array.from({ length: count }, () => anywhere(dummy++))
  return [
    ...edges.map(([a, b]) => [anywhere(a), anywhere(b), ...dummies(rank - 1)]),
    ...degrees.flatMap((_, v) => [[anywhere(v)], [anywhere(v)]]),
    ...degrees.flatMap((degree, v) =>
      Array.from({ length: largest - degree }, () => [anywhere(v), ...dummies(rank)]),
    ),
  ].map((pages) => ({ weight: 1, pages }))
}

test('the worst case of a set of pages counts the edges among their vertices', () => {
  const graphs = fc.uniqueArray(
    fc.tuple(fc.nat(3), fc.nat(3)).filter(([a, b]) => a < b),
    {
      minLength: 1,
      selector: ([a, b]) => a * 4 + b,
    },
  )
  fc.assert(
    fc.property(graphs, fc.integer({ min: 1, max: 2 }), (edges, rank) => {
      const sketches = densestSubgraphInstance(4, edges, rank)
      const largest = Math.max(
        ...[0, 1, 2, 3].map((v) => edges.filter((e) => e.includes(v)).length),
      )
      for (const size of [1, 2, 3])
        for (const set of subsetsOf(4, size)) {
          const inside = edges.filter(([a, b]) => set.has(a) && set.has(b)).length
          const expected =
            2 * size * steep(1) +
            largest * size * steep(rank + 1) +
            inside * (steep(rank) - steep(rank + 1))
          expect(worstCaseImpact(sketches, set, steep)).toBeCloseTo(expected, 10)
        }
    }),
    { numRuns: 15 },
  )
})

test('sampling agrees with what can be worked out: equal ranges share all ranks evenly', () => {
  const sketches = [{ weight: 1, pages: [anywhere(0), anywhere(1), anywhere(2)] }]
  const impacts = sampledImpacts(sketches, steep, 3, 20_000, seededRandom(1))
  for (const impact of impacts) expect(impact).toBeCloseTo((1 + 0.4 + 0.2) / 3, 1)
})

test('a page that may score twice as much is before the other in three of four cases', () => {
  // Scores are even between 0 and 1, and 0 and 0.5: the first is above 0.5 in half of the cases, else it is as likely as not.
  const pages = [anywhere(0), { page: 1, low: 0, high: 0.5 }]
  const impacts = sampledImpacts([{ weight: 2, pages }], steep, 2, 20_000, seededRandom(1))
  expect(impacts[0]).toBeCloseTo(2 * (0.75 * 1 + 0.25 * 0.4), 1)
  expect(impacts[1]).toBeCloseTo(2 * (0.25 * 1 + 0.75 * 0.4), 1)
})

test('where all scores are known, expectation is Eq. 1', () => {
  const known = (page: number, score: number) => ({ page, low: score, high: score })
  const first = { weight: 653, pages: [known(0, 9), known(1, 7), known(2, 5)] }
  const second = { weight: 20, pages: [known(2, 3), known(0, 1)] }
  const impacts = sampledImpacts([first, second], topVisibility(2), 3, 1, seededRandom(1))
  expect([...impacts]).toEqual([653 + 20, 653, 20])
})
