import { expect, test } from 'vitest'
import { PastProgress } from './past-progress.ts'

const results = (...urls: number[]) => urls.map((url) => ({ url, score: 6 }))

test('what a plan did for a query is told by its first K results at the next one', () => {
  const past = new PastProgress(2)
  expect(past.at([{ text: 'otter', top: results(1) }])).toEqual([])
  const later = [
    { text: 'otter', top: results(7, 1, 8) }, // 7 is new, 8 is not among the first two
    { text: 'newt', top: results(3) }, // asked for the first time
  ]
  expect(past.at(later)).toEqual([{ averageScore: 3, newResults: 1 }])
  expect(past.at(later)).toEqual([
    { averageScore: 3, newResults: 1 },
    { averageScore: 6, newResults: 0 },
    { averageScore: 3, newResults: 0 },
  ])
})

test('old plans are forgotten, and what was seen elsewhere is not', () => {
  const earlier = { averageScore: 1, newResults: 9 }
  const past = new PastProgress(10, [earlier])
  for (let plan = 0; plan < 30; plan++) past.at([{ text: 'otter', top: results(plan) }])
  const known = past.at([{ text: 'otter', top: results(30) }])
  expect(known[0]).toEqual(earlier)
  expect(known.length).toBe(11)
})
