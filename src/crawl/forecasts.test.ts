import { expect, test } from 'vitest'
import { Forecasts } from './forecasts.ts'

const fetchOf = (url: number, gain: number) => ({
  ...{ url, gain, expected: gain, purpose: 'acquire' as const, why: () => '' },
  parts: { acquire: gain, refresh: 0, discover: 0 },
})
const none = new Set<number>()

test('an answer is told what the plan said under which it was sent', () => {
  const forecasts = new Forecasts()
  forecasts.post([fetchOf(1, 0.5), fetchOf(2, 0.4)], none)
  forecasts.post([fetchOf(1, 0.1), fetchOf(2, 0.2)], new Set([1]))
  expect(forecasts.take(1).bid).toBe(0.5)
  expect(forecasts.take(2).bid).toBe(0.2)
})

test('what was sent while a plan was made is known from the one before, older ones by what is under way', () => {
  const forecasts = new Forecasts()
  forecasts.post([fetchOf(1, 0.5), fetchOf(2, 0.4), fetchOf(3, 0.3)], none)
  forecasts.post([], none)
  expect(forecasts.take(1).bid).toBe(0.5)
  forecasts.post([], new Set([2]))
  expect(forecasts.take(2).bid).toBe(0.4)
})

test('an answer that nothing was sent for may be read after its plan is forgotten, and says nothing of predictions', () => {
  const forecasts = new Forecasts()
  forecasts.post([fetchOf(3, 0.3)], none)
  forecasts.post([], none)
  forecasts.post([], none)
  expect(forecasts.take(3)).toEqual({ purpose: 'acquire', predictedGain: 0 })
})
