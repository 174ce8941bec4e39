import { expect, test } from 'vitest'
import { offered } from './offers.test-kit.ts'
import { HORIZON_DAYS, overHorizon } from './one-currency.ts'
import { outlookOf } from './outlook.ts'

const bids = [
  overHorizon(offered('acquire', [[1, 3], [2, 2], [3, 1]])), // biome-ignore format: one list
  { ...offered('refresh', [[4, 2.5 * HORIZON_DAYS]]), expected: Float64Array.of(0.5) },
]

test('what can be afforded is expected to gain what its best fetches are', () => {
  expect(outlookOf(bids, 2)).toEqual({ fetches: 2, gain: 3.5 })
  expect(outlookOf(bids, 3)).toEqual({ fetches: 3, gain: 5.5 })
})

test('a budget that affords everything gains everything', () => {
  expect(outlookOf(bids, 100)).toEqual({ fetches: 4, gain: 6.5 })
  expect(outlookOf([], 100)).toEqual({ fetches: 0, gain: 0 })
})

test('what is bid more comes before what many bid alike, and nothing is taken that is worth nothing', () => {
  const many = Array.from({ length: 100 }, (_, url): [number, number] => [url, url < 99 ? 1 : 10])
  expect(outlookOf([offered('acquire', many)], 5)).toEqual({ fetches: 5, gain: 14 })
  const few = many.map(([url, gain]): [number, number] => [url, gain === 10 ? 10 : 0])
  expect(outlookOf([offered('acquire', few)], 5)).toEqual({ fetches: 1, gain: 10 })
})
