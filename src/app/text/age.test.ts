import { expect, test } from 'vitest'
import { ageText, momentText } from './age.ts'

const MINUTE = 60
const DAY = 86_400

test.each([
  [0, 'just now'],
  [-5, 'just now'], // a clock that was set back
  [59, 'just now'],
  [MINUTE, '1 minute ago'],
  [3 * 3600 + 5, '3 hours ago'],
  [DAY, '1 day ago'],
  [2.9 * DAY, '2 days ago'],
  [8 * DAY, '1 week ago'],
  [45 * DAY, '1 month ago'],
  [800 * DAY, '2 years ago'],
])('%d seconds are "%s"', (seconds, words) => {
  expect(ageText(1_790_000_000 - seconds, 1_790_000_000)).toBe(words)
})

test('the moment is told in full, in UTC', () => {
  expect(momentText(Date.UTC(2026, 10, 2, 9, 5) / 1000)).toBe('2 November 2026, 09:05 UTC')
})
