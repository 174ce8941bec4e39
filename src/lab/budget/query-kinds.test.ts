import { expect, test } from 'vitest'
import { seededRandom } from '#numeric/random.ts'
import { aboutLaterPages, QUERY_KINDS, type QueryKind, splitByKind } from './query-kinds.ts'
import { modelWorld, smallWorld } from './small-world.test-kit.ts'

const world = modelWorld(5, 500, 12)
const asked = (weights: Float64Array) => weights.map((weight) => (weight > 0 ? 1 : 0))
const overlap = (a: Float64Array, b: Float64Array) =>
  asked(a).reduce((sum, isAsked, query) => sum + isAsked * asked(b)[query], 0)

const split = ({ queries, truth }: typeof world, kind: QueryKind) =>
  splitByKind(queries, truth, kind, seededRandom(1))

test('somebody judges, and the crawler knows what its log says, whoever they are', () => {
  for (const kind of QUERY_KINDS) {
    const searchers = split(world, kind)
    if (kind !== 'later') expect(searchers).toBeDefined()
    if (searchers === undefined) continue
    expect(searchers.testWeights.some((weight) => weight > 0)).toBe(true)
    expect(searchers.training.map(({ weight }) => weight)).toEqual(
      [...searchers.trainingWeights].filter((weight) => weight > 0),
    )
  }
})

test('repeated searches share most queries, disjoint ones none', () => {
  const repeated = split(world, 'repeated')!
  expect(overlap(repeated.trainingWeights, repeated.testWeights)).toBeGreaterThan(
    0.5 * asked(repeated.testWeights).reduce((a, b) => a + b),
  )
  const disjoint = split(world, 'disjoint')!
  expect(overlap(disjoint.trainingWeights, disjoint.testWeights)).toBe(0)
})

const tea = (from: number) => [{ live: [from, 3] as const, text: ['tea'] }]

test('a query is about later pages if these are most of what its searchers will see', () => {
  const growing = smallWorld(
    4,
    {
      home: [{ live: [0, 3], text: ['coffee tea and what else there is'] }],
      young: tea(2),
      younger: tea(3),
      old: [{ live: [0, 3], text: ['coffee'] }],
    },
    { tea: 1, coffee: 1 },
  )
  expect([...aboutLaterPages(growing.truth)]).toEqual([1, 0])
  expect(split(growing, 'later')).toBeUndefined()
})

test('later judges ask what the crawler never saw asked', () => {
  const words = Array.from({ length: 12 }, (_, i) => `word${String.fromCharCode(97 + i)}`)
  const growing = smallWorld(
    4,
    {
      home: [{ live: [0, 3], text: ['coffee'] }],
      ...Object.fromEntries(words.map((word) => [word, [{ live: [2, 3], text: [word] }]])),
    },
    { coffee: 1, ...Object.fromEntries(words.map((word) => [word, 1])) },
  )
  const { trainingWeights, testWeights } = split(growing, 'later')!
  expect([...asked(trainingWeights)]).toEqual([1, ...words.map(() => 0)])
  expect(testWeights[0]).toBe(0)
})
