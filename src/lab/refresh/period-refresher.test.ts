import { expect, test } from 'vitest'
import { fetchTimes } from '../schedules/fetch-times.ts'
import type { HeldAnswers } from './held-answers.ts'
import { knownGainRefresher, scheduledRefresher } from './period-refresher.ts'

const held = {} as HeldAnswers

test('whoever knows gains fetches where gain a week times weeks since the last fetch is largest', () => {
  const refresher = knownGainRefresher(Float64Array.of(1, 0.4, 0), { from: 3, budget: 1, seed: 7 })
  const fetched = [4, 5, 6, 7, 8, 9, 10, 11].map((week) => {
    const [page] = Array.from(refresher.choose(week, held))
    refresher.learn?.(week, { page, changed: false, gain: 0, clicks: 0 })
    return page
  })
  // The second page has waited for three weeks when 0.4 · 3 is more than 1 · 1.
  expect(fetched).toEqual([0, 0, 1, 0, 0, 1, 0, 0])
})

test('pages that gain nothing are fetched when nothing else is left', () => {
  const refresher = knownGainRefresher(Float64Array.of(0, 0.4, 0), { from: 0, budget: 2, seed: 7 })
  const chosen = Array.from(refresher.choose(1, held))
  expect(chosen).toHaveLength(2)
  expect(chosen[0]).toBe(1)
})

test('a schedule begins in the week after the copies were current', () => {
  const times = fetchTimes([1, 2], 2, 2, 7)
  const refresher = scheduledRefresher(times, 5)
  const byWeek = [6, 7].map((week) => Array.from(refresher.choose(week, held)))
  expect(byWeek.flat().sort()).toEqual([0, 1, 1])
  for (const pages of byWeek) expect(pages).toContain(1)
})
