import fc from 'fast-check'
import { expect, test } from 'vitest'
import { powerVisibility, topVisibility } from '#search/gain/visibility.ts'
import { impactOfPages } from './impact.ts'
import { rankMass } from './rank-mass.ts'

test('a page has impact by the queries whose first results it is among', () => {
  const queries = [
    { weight: 5, results: [2, 0, 1] },
    { weight: 1, results: [1, 2] },
  ]
  expect(impactOfPages(queries, topVisibility(2), 4)).toEqual(Float64Array.of(5, 1, 6, 0))
})

test('with visibility 1 and 0.4, the second result adds 0.4 and both together have 1.4', () => {
  const impacts = impactOfPages([{ weight: 1, results: [0, 1] }], (rank) => [1, 0.4][rank - 1], 2)
  expect(rankMass(impacts, Uint32Array.of(1)).mass).toBe(0.4)
  expect(rankMass(impacts, Uint32Array.of(0, 1)).mass).toBe(1.4)
})

test.each([
  ['step', topVisibility(3)],
  ['power', powerVisibility],
])('a naive twin agrees, with %s visibility', (_, visibility) => {
  const query = fc.record({ weight: fc.nat(100), results: fc.uniqueArray(fc.nat(9)) })
  fc.assert(
    fc.property(fc.array(query), (queries) => {
      const impacts = impactOfPages(queries, visibility, 10)
      for (let page = 0; page < 10; page++) {
        const seen = queries.filter(({ results }) => results.includes(page))
        const naive = seen.reduce(
          (sum, { weight, results }) => sum + weight * visibility(results.indexOf(page) + 1),
          0,
        )
        expect(impacts[page]).toBeCloseTo(naive, 9)
      }
    }),
  )
})
