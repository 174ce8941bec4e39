import { expect, test } from 'vitest'
import { yearlyLooks } from './yearly-looks.ts'

const DAY = 86_400
const facts = {
  pages: Uint32Array.of(2, 3, 4, 5),
  ages: Float64Array.of(10 * DAY, 360 * DAY, 360 * DAY, 360 * DAY),
  domains: Uint32Array.of(0, 0, 7, 7, 7, 1),
}

test('what all pages of a site link to is looked at before a year is over, other pages need not be', () => {
  const prices = yearlyLooks({ ...facts, inLinks: Uint32Array.of(3, 3, 1, 1) })!
  expect(prices[0]).toBeLessThan(1e-6)
  expect(prices[1]).toBeGreaterThan(4)
  expect(prices[2]).toBe(0)
  expect(prices[3]).toBe(prices[1]) // the one page of another site
})

test('where nobody counted links nothing is asked for', () => {
  expect(yearlyLooks({ ...facts, inLinks: undefined })).toBeUndefined()
})
