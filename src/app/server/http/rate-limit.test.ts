import { expect, test } from 'vitest'
import { RateLimit } from './rate-limit.ts'

test('a burst is fine, then requests are fine at the rate, and who waits long enough has a burst again', () => {
  const limit = new RateLimit(2, 3)
  const waits = (at: number, times: number) =>
    Array.from({ length: times }, () => limit.take('10.0.0.1', at))
  expect(waits(0, 4)).toEqual([0, 0, 0, 1])
  expect(waits(500, 2)).toEqual([0, 1])
  expect(waits(100_000, 4)).toEqual([0, 0, 0, 1])
})

test('addresses do not pay for each other, but one household of IPv6 is one', () => {
  const limit = new RateLimit(1, 1)
  expect(limit.take('10.0.0.1', 0)).toBe(0)
  expect(limit.take('10.0.0.2', 0)).toBe(0)
  expect(limit.take('::ffff:10.0.0.2', 0)).toBe(1)
  expect(limit.take('2001:db8:1:2:3:4:5:6', 0)).toBe(0)
  expect(limit.take('2001:db8:1:2::9', 0)).toBe(1)
  expect(limit.take('2001:db8:1:3::9', 0)).toBe(0)
  expect(limit.take('::1', 0)).toBe(0)
})

test('a rate of 0 is no limit', () => {
  const limit = new RateLimit(0)
  for (let time = 0; time < 1000; time++) expect(limit.take('10.0.0.1', 0)).toBe(0)
})

test('however many addresses ask, few are remembered', () => {
  const limit = new RateLimit(1)
  for (let host = 0; host < 30_000; host++) limit.take(`10.${host >> 8}.${host & 255}.1`, host)
  expect(limit.size).toBeLessThanOrEqual(10_000)
})
