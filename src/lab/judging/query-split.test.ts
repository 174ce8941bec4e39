import fc from 'fast-check'
import { expect, test } from 'vitest'
import { seededRandom } from '#numeric/random.ts'
import type { Query } from '#workload/workload.ts'
import { splitQueries } from './query-split.ts'

const someQueries = fc
  .array(fc.integer({ min: 1, max: 9 }), { minLength: 2, maxLength: 40 })
  .map((weights) => weights.map((weight, i): Query => ({ id: `q${i}`, text: `t${i}`, weight })))
const sum = (weights: Float64Array) => weights.reduce((total, weight) => total + weight, 0)

test('halves share no query and lose none', () => {
  fc.assert(
    fc.property(someQueries, fc.nat(), (queries, seed) => {
      const { training, trainingWeights, testWeights } = splitQueries(
        queries,
        'half',
        seededRandom(seed),
      )
      queries.forEach(({ weight }, i) => {
        expect(Math.min(trainingWeights[i], testWeights[i])).toBe(0)
        expect(trainingWeights[i] + testWeights[i]).toBe(weight)
      })
      expect(training.length).toBe(Math.ceil(queries.length / 2))
    }),
  )
})

test('two logs are as long as each other, differ, and ask what is asked often', () => {
  const queries = Array.from({ length: 50 }, (_, i) => ({
    id: `q${i}`,
    text: `t${i}`,
    weight: i === 7 ? 100 : 1,
  }))
  const { training, trainingWeights, testWeights } = splitQueries(queries, 'log', seededRandom(1))
  expect(sum(trainingWeights)).toBe(500)
  expect(sum(testWeights)).toBe(500)
  expect(trainingWeights).not.toEqual(testWeights)
  for (const weights of [trainingWeights, testWeights]) expect(weights[7]).toBeGreaterThan(250)
  expect(training.find(({ id }) => id === 'q7')?.weight).toBe(trainingWeights[7])
  expect(training.every(({ weight }) => weight > 0)).toBe(true)
})

test('the same sample twice is the whole workload twice', () => {
  const queries = [{ id: 'a', text: 'a', weight: 2 }]
  const { training, testWeights } = splitQueries(queries, 'same', seededRandom(1))
  expect(training).toEqual(queries)
  expect([...testWeights]).toEqual([2])
})

test('without a log nothing is known, and what is asked is that of two logs', () => {
  const queries = ['a', 'b', 'c'].map((id) => ({ id, text: id, weight: 3 }))
  const split = splitQueries(queries, 'none', seededRandom(4))
  expect(split.training).toEqual([])
  expect(split.testWeights).toEqual(splitQueries(queries, 'log', seededRandom(4)).testWeights)
})

test('a workload that nobody asks is refused', () => {
  expect(() => splitQueries([], 'half', seededRandom(1))).toThrow(/queries\.tsv\.gz/)
})
