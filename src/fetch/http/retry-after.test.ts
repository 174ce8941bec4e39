import { expect, test } from 'vitest'
import { retryAfterSeconds } from './retry-after.ts'

const NOW = Date.UTC(2026, 2, 1, 12) / 1000

test.each([
  [undefined, undefined, undefined],
  ['', undefined, undefined],
  ['120', undefined, 120],
  [' 7 ', undefined, 7],
  ['0', undefined, 0],
  ['99999999999999', undefined, 86_400],
  ['-5', undefined, undefined],
  ['1.5', undefined, undefined],
  ['12 hours', undefined, undefined],
  ['soon', undefined, undefined],
  ['Sun, 01 Mar 2026 12:01:30 GMT', undefined, 90],
  ['Sun, 01 Mar 2026 11:00:00 GMT', undefined, 0],
  ['Wed, 01 Apr 2026 12:00:00 GMT', undefined, 86_400],
  ['Sun, 01 Mar 2026 10:00:30 GMT', 'Sun, 01 Mar 2026 10:00:00 GMT', 30],
  ['Sun, 01 Mar 2026 12:00:30 GMT', 'what time?', 30],
])('Retry-After %j with Date %j asks for %j seconds', (header, date, expected) => {
  const headers = { 'retry-after': header, date }
  expect(retryAfterSeconds(429, headers, NOW)).toBe(expected)
  expect(retryAfterSeconds(503, headers, NOW)).toBe(expected)
  expect(retryAfterSeconds(500, headers, NOW)).toBeUndefined()
})
