import { expect, test } from 'vitest'
import { isReviewDue, mostAsked } from './review-dates.ts'

const after = (visits: number, fetches = visits, now = 9) => ({
  visits: new Uint32Array(visits),
  fetches,
  now,
})

test('queries are looked at anew when the crawl has grown by a quarter', () => {
  expect(isReviewDue(after(400), after(499))).toBe(false)
  expect(isReviewDue(after(400), after(500))).toBe(true)
})

test('fetches of pages that are held count as well, as their answers may be others', () => {
  expect(isReviewDue(after(400, 1_000), after(400, 1_099))).toBe(false)
  expect(isReviewDue(after(400, 1_000), after(400, 1_100))).toBe(true)
})

test('a large crawl does not wait for a quarter, nor a slow one longer than a day', () => {
  expect(isReviewDue(after(1_000_000), after(1_009_999))).toBe(false)
  expect(isReviewDue(after(1_000_000), after(1_010_000))).toBe(true)
  expect(isReviewDue(after(400), after(401, 401, 9 + 86_399))).toBe(false)
  expect(isReviewDue(after(400), after(401, 401, 9 + 86_400))).toBe(true)
})

test('before anything was fetched every plan looks', () => {
  expect(isReviewDue(after(0), after(0))).toBe(true)
})

test('those asked most are the fewest that make two thirds of the searches', () => {
  const asked = (...weights: number[]) => mostAsked(weights.map((weight) => ({ weight })))
  expect(asked(1, 6, 2, 3)).toEqual([1, 3]) // nine of twelve; six would be too few
  expect(asked(6, 1, 1, 1)).toEqual([0])
  expect(asked(1, 1, 1)).toEqual([0, 1])
  expect(asked()).toEqual([])
})
