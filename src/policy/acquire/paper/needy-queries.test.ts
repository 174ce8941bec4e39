import fc from 'fast-check'
import { expect, test } from 'vitest'
import { neediestQueries } from './needy-queries.ts'
import { topicWeb } from './topic-web.test-kit.ts'

test('a larger share keeps all queries that a smaller one keeps', () => {
  const { facts } = topicWeb(1)
  const share = fc.double({ min: 0, max: 1, noNaN: true })
  fc.assert(
    fc.property(share, share, (a, b) => {
      const [fewer, more] = [Math.min(a, b), Math.max(a, b)].map((s) => neediestQueries(facts, s))
      expect(fewer.length).toBe(Math.ceil(Math.min(a, b) * facts.queries.length))
      expect([...fewer].every((query) => more.includes(query))).toBe(true)
    }),
  )
})

test('a query that many ask and nothing answers is the neediest', () => {
  const { facts } = topicWeb(1)
  const { answers } = facts
  const kept = answers.kept.slice()
  kept[7] = 0
  const queries = facts.queries.map((query, i) => ({ ...query, weight: i === 7 ? 9 : 1 }))
  expect([...neediestQueries({ queries, answers: { ...answers, kept } }, 0.001)]).toEqual([7])
})
