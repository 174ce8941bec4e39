import { expect, test } from 'vitest'
import { seededRandom } from '#numeric/random.ts'
import { hybridImpact, PRINTED_WEIGHTS, precisionWeights, type Trials } from './hybrid.ts'

/** Impacts, with two estimates that are off by so much. */
function trials(queryNoise: number, independentNoise: number, scale = 1): Trials {
  const random = seededRandom(7)
  const impacts = Float64Array.from({ length: 4000 }, () => 5 + random.next())
  const blurred = (noise: number) =>
    impacts.map((impact) => Math.max(0, impact + noise * (random.next() - 0.5)))
  return {
    byQueries: blurred(queryNoise).map((estimate) => estimate / scale),
    byImportance: blurred(independentNoise),
    impacts,
    halves: Uint8Array.from(impacts, (_, i) => i % 2),
  }
}

test('as printed, nine parts by queries and one by importance', () => {
  expect(hybridImpact(PRINTED_WEIGHTS, 10, 20)).toBeCloseTo(11, 12)
})

test('weights are in inverse proportion to squared errors', () => {
  const { query, independent } = precisionWeights(trials(1, 2))
  expect(query + independent).toBeCloseTo(1, 1)
  expect(query / independent).toBeCloseTo(4, 0)
  const equal = precisionWeights(trials(1, 1))
  expect(equal.query).toBeCloseTo(0.5, 1)
})

test('weights by hand: each half of the pages is judged by the scale of the other', () => {
  // By queries the scales are 2 and 2.6, the mean squared error is 1.7, and the scale of all is 2.3; by importance 3, 0.75, 3.
  const { query, independent } = precisionWeights({
    byQueries: Float64Array.of(1, 2, 2, 1),
    byImportance: Float64Array.of(1, 1, 2, 0),
    impacts: Float64Array.of(2, 4, 6, 1),
    halves: Uint8Array.of(0, 0, 1, 1),
  })
  expect(query).toBeCloseTo((0.75 / 2.45) * 2.3, 12)
  expect(independent).toBeCloseTo((1.7 / 2.45) * 3, 12)
})

test('an estimate that never errs decides alone, and two of them by halves', () => {
  const [impacts, halves] = [Float64Array.of(0.2, 0.3, 0.1, 0.4), Uint8Array.of(0, 0, 1, 1)]
  const off = { impacts, halves, byQueries: impacts, byImportance: Float64Array.of(1, 0, 0, 1) }
  expect(precisionWeights(off)).toEqual({ query: 1, independent: 0 })
  const right = { ...off, byImportance: impacts }
  expect(precisionWeights(right)).toEqual({ query: 0.5, independent: 0.5 })
})

test('an estimate in other units is brought to those of impact', () => {
  const plain = precisionWeights(trials(1, 1))
  const scaled = precisionWeights(trials(1, 1, 100))
  expect(scaled.query).toBeCloseTo(100 * plain.query, 6)
  expect(scaled.independent).toBeCloseTo(plain.independent, 9)
})

test('an estimate that never says anything counts for nothing', () => {
  const { byQueries, ...rest } = trials(1, 1)
  const { query, independent } = precisionWeights({ ...rest, byQueries: byQueries.fill(0) })
  expect(query).toBe(0)
  expect(independent).toBeGreaterThan(0)
})

test('where nobody saw any page, the printed weights stay', () => {
  const { impacts, ...rest } = trials(1, 1)
  expect(precisionWeights({ ...rest, impacts: impacts.fill(0) })).toEqual(PRINTED_WEIGHTS)
})
