import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { QueryProgress } from '#workload/improvability.ts'
import { type NeedFacts, neediestQueries } from './needy-queries.ts'
import { topicWeb } from './topic-web.test-kit.ts'

const { facts } = topicWeb(1)
const needOf = (more: Partial<NeedFacts>): NeedFacts => ({
  ...{ queries: facts.queries, answers: facts.answers, needyShare: 1, progress: [], topK: 10 },
  ...more,
})

test('a larger share keeps all queries that a smaller one keeps', () => {
  const share = fc.double({ min: 0, max: 1, noNaN: true })
  fc.assert(
    fc.property(share, share, (a, b) => {
      const [fewer, more] = [Math.min(a, b), Math.max(a, b)].map((needyShare) =>
        neediestQueries(needOf({ needyShare })),
      )
      expect(fewer.length).toBe(Math.ceil(Math.min(a, b) * facts.queries.length))
      expect([...fewer].every((query) => more.includes(query))).toBe(true)
    }),
  )
})

test('a query that many ask and nothing answers is the neediest', () => {
  const { answers } = facts
  const kept = answers.kept.slice()
  kept[7] = 0
  const queries = facts.queries.map((query, i) => ({ ...query, weight: i === 7 ? 9 : 1 }))
  const need = needOf({ queries, answers: { ...answers, kept }, needyShare: 0.001 })
  expect([...neediestQueries(need)]).toEqual([7])
})

/** Two queries: one asked 30 times whose single result scores 40 (on average over ten 4), one asked 10 times without any. */
const two = needOf({
  queries: [
    { text: 'otter', weight: 30 },
    { text: 'newt', weight: 10 },
  ],
  answers: {
    ...facts.answers,
    ...{ depth: 1, kept: Uint32Array.of(1, 0), scores: Float64Array.of(40, 0) },
  },
  needyShare: 0.5,
})
/** Plans that gave queries with an average of 4 this many new results, and those without results 6. */
const plansThatGave = (newResults: number): QueryProgress[] =>
  Array.from({ length: 100 }, (_, i) =>
    i % 2 === 0 ? { averageScore: 4, newResults } : { averageScore: 0, newResults: 6 },
  )

test('who is needy is learnt from what past plans did for queries', () => {
  // 30 × 4 new results against 10 × 6, and 30 × 1 against 10 × 6.
  expect([...neediestQueries({ ...two, progress: plansThatGave(4) })]).toEqual([0])
  expect([...neediestQueries({ ...two, progress: plansThatGave(1) })]).toEqual([1])
})

test('before anything was learnt, a query as well answered as others may hope for K / e new results', () => {
  // 30 × 10 / e = 110 against 10 × 10.
  expect([...neediestQueries(two)]).toEqual([0])
  const seldom = [{ text: 'otter', weight: 25 }, two.queries[1]]
  expect([...neediestQueries({ ...two, queries: seldom })]).toEqual([1])
})

test('answers are looked at down to K', () => {
  // Of one result the average is 40, and plans taught that this leaves nothing to improve.
  const progress = Array.from({ length: 100 }, (_, i) =>
    i % 2 === 0 ? { averageScore: 40, newResults: 0 } : { averageScore: 4, newResults: 1 },
  )
  expect([...neediestQueries({ ...two, progress, topK: 10 })]).toEqual([0])
  expect([...neediestQueries({ ...two, progress, topK: 1 })]).toEqual([1])
})
