import { expect, test } from 'vitest'
import { tableOf } from '#numeric/learning/feature-table.test-kit.ts'
import { gainsOf } from '../../facts/worth.ts'
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
    scores.fill(1, first, first + 10)
  }
  const bounds = answers.bounds.map(() => 2)
  const kept = answers.kept.map((count) => Math.min(count, 10))
  const [gain] = gainsOf({ ...answers, scores, kept }, asked[0])
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
    { ...facts, answers: { ...answers, kept, scores, bounds, meanGain: gain } },
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
    expect(estimates[i] / gain).toBeCloseTo(impacts[count + i], 12)
    expect(estimates[count + i] / gain).toBeCloseTo(impacts[i], 12)
  }
  expect(impacts.some((impact, i) => impact > 0 && impact !== estimates[i] / gain)).toBe(true)
})
