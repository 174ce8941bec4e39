import { expect, test } from 'vitest'
import { tableOf } from '#numeric/learning/feature-table.test-kit.ts'
import { trialsOf } from './hybrid-trials.ts'
import { topicWeb } from './topic-web.test-kit.ts'

const { facts } = topicWeb(1)
const TOP_K = 4

/** Trials of pages where each query keeps so many results that all score 1, which is also what is expected of them. */
function trialsWith(results: number) {
  const { answers } = facts
  const asked = Uint32Array.from(facts.queries.keys()).filter(
    (query) => answers.kept[query] >= results,
  )
  const kept = answers.kept.map((count) => Math.min(count, results))
  const scores = answers.scores.map(() => 1)
  const bounds = answers.bounds.map(() => 2)
  const rows = [...asked].flatMap((query) =>
    Array.from({ length: TOP_K }, (_, i) => ({
      query,
      url: answers.urls[query * answers.depth + i],
    })),
  )
  const pairs = {
    table: tableOf(['coverage', 'closeness'], rows.map(() => [1, 1])), // biome-ignore format: one table
    queries: Uint32Array.from(rows, ({ query }) => query),
    urls: Uint32Array.from(rows, ({ url }) => url),
  }
  const urls = facts.visits.slice().sort()
  const trials = trialsOf(
    { ...facts, answers: { ...answers, kept, scores, bounds } },
    new Float64Array(facts.hosts.length).fill(1),
    urls,
    asked,
    pairs,
    new Float64Array(rows.length).fill(0.5),
    TOP_K,
  )
  return { ...trials, count: urls.length }
}

test('fetched pages are tried as if they were missing, by half of the queries, and met by the other', () => {
  const { byQueries, impacts, count } = trialsWith(TOP_K)
  expect(byQueries.length).toBe(2 * count)
  // What one half of the queries expects is what is met in the trial by the other half.
  for (let i = 0; i < count; i++) {
    expect(byQueries[i]).toBeCloseTo(impacts[count + i], 12)
    expect(byQueries[count + i]).toBeCloseTo(impacts[i], 12)
  }
  expect(impacts.some((impact, i) => impact > 0 && impact !== byQueries[i])).toBe(true)
})

test('where a result waits behind the first K, it takes the place of the page that is missing', () => {
  const { byQueries, impacts } = trialsWith(TOP_K + 1)
  expect(byQueries.every((estimate) => estimate === 0)).toBe(true)
  expect(impacts.some((impact) => impact > 0)).toBe(true)
})
