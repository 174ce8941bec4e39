import { expect, test } from 'vitest'
import { seededRandom } from '#numeric/random.ts'
import { aboutLaterPages, QUERY_KINDS, queryShares } from './query-shares.ts'
import { modelWorld, smallWorld } from './small-world.test-kit.ts'

const world = modelWorld(5, 500, 12)
const asked = (weights: Float64Array) => weights.map((weight) => (weight > 0 ? 1 : 0))
const overlap = (a: Float64Array, b: Float64Array) =>
  asked(a).reduce((sum, isAsked, query) => sum + isAsked * asked(b)[query], 0)

test('judges’ shares sum to 1, whoever they are', () => {
  for (const kind of QUERY_KINDS) {
    const shares = queryShares(world, kind, seededRandom(1))
    if (kind !== 'later') expect(shares).toBeDefined()
    if (shares) expect(shares.judging.reduce((a, b) => a + b)).toBeCloseTo(1, 12)
  }
})

test('repeated searches share most queries, disjoint ones none', () => {
  const repeated = queryShares(world, 'repeated', seededRandom(1))!
  expect(overlap(repeated.seen, repeated.judging)).toBeGreaterThan(
    0.5 * asked(repeated.judging).reduce((a, b) => a + b),
  )
  const disjoint = queryShares(world, 'disjoint', seededRandom(1))!
  expect(overlap(disjoint.seen, disjoint.judging)).toBe(0)
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
  expect([...aboutLaterPages(growing)]).toEqual([1, 0])
  expect(queryShares(growing, 'later', seededRandom(1))).toBeUndefined()
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
  const { seen, judging } = queryShares(growing, 'later', seededRandom(1))!
  expect([...asked(seen)]).toEqual([1, ...words.map(() => 0)])
  expect(judging[0]).toBe(0)
})
