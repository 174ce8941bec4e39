import { expect, test } from 'vitest'
import { tableOf } from '#numeric/learning/feature-table.test-kit.ts'
import { trialsOf } from './hybrid-trials.ts'
import { topicWeb } from './topic-web.test-kit.ts'

test('fetched pages are tried as if they were missing, by half of the queries, and met by the other', () => {
  const { facts } = topicWeb(1)
  const { answers } = facts
  const asked = Uint32Array.from(facts.queries.keys()).filter((query) => answers.kept[query] >= 10)
  // All of the first ten results score alike, so that any page expected to do as well fills the gap it left.
  const scores = answers.scores.slice()
  for (const query of asked) {
    const first = query * answers.depth
    scores.fill(answers.bounds[query] / 2, first, first + 10)
    scores.fill(0.01, first + 10, first + answers.kept[query])
  }
  const rows = [...asked].flatMap((query) =>
    Array.from({ length: 10 }, (_, i) => ({ query, url: answers.urls[query * answers.depth + i] })),
  )
  const pairs = {
    table: tableOf(['coverage', 'closeness'], rows.map(() => [1, 1])), // biome-ignore format: one table
    queries: Uint32Array.from(rows, ({ query }) => query),
    urls: Uint32Array.from(rows, ({ url }) => url),
  }
  const urls = facts.visits.slice().sort()
  const trials = trialsOf(
    { ...facts, answers: { ...answers, scores } },
    new Float64Array(facts.hosts.length).fill(1),
    urls,
    asked,
    pairs,
    new Float64Array(rows.length).fill(0.5),
  )
  const [estimates, impacts] = [trials.byQueries, trials.impacts]
  const count = urls.length
  expect(estimates.length).toBe(2 * count)
  // What one half of the queries expects is what is met in the trial by the other half.
  for (let i = 0; i < count; i++) {
    expect(estimates[i]).toBeCloseTo(impacts[count + i], 12)
    expect(estimates[count + i]).toBeCloseTo(impacts[i], 12)
  }
  expect(impacts.some((impact, i) => impact > 0 && impact !== estimates[i])).toBe(true)
})
