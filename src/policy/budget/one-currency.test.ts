import { expect, test } from 'vitest'
import { offered } from './offers.test-kit.ts'
import { beyondPrice, corrected, HORIZON_DAYS, linkBids, overHorizon } from './one-currency.ts'

test('a new page is worth its quality for every day until the horizon', () => {
  const bids = overHorizon(offered('acquire', [[3, 0.5]]))
  expect(bids.gains).toEqual(Float64Array.of(0.5 * HORIZON_DAYS))
  expect(bids.expected).toEqual(Float64Array.of(0.5))
})

test('a correction of what is expected corrects the bid by the same factor', () => {
  const bids = overHorizon(offered('acquire', [[3, 0.5], [4, 0]])) // biome-ignore format: one list
  const half = corrected(bids, (_, value) => value / 2)
  expect(half.gains).toEqual(Float64Array.of(0.25 * HORIZON_DAYS, 0))
  expect(half.expected).toEqual(Float64Array.of(0.25, 0))
})

test('links that have waited longer, and links worth more, are bid more for', () => {
  const links = {
    isFirst: false,
    urls: Uint32Array.of(1, 2, 3),
    links: Float64Array.of(2, 2, 2),
    days: Float64Array.of(1, 10, 10),
  }
  const { gains } = linkBids(links, (url) => (url === 3 ? 0.5 : 0.1))
  expect(Array.from(gains)).toEqual([0.2, 2, 10])
})

test('of likes that stand or fall with one guess the third counts for a third', () => {
  const links = Float64Array.of(6, 6, 6)
  const some = { isFirst: false, urls: Uint32Array.of(1, 2, 3), links, days: links.map(() => 1) }
  const { gains } = linkBids({ ...some, turns: Uint32Array.of(1, 2, 3) }, () => 1)
  expect(Array.from(gains)).toEqual([6, 3, 2])
})

test('a link whose page is not worth its own fetch is worth nothing', () => {
  expect(beyondPrice(0.5, 0.6 * HORIZON_DAYS)).toBe(0)
  expect(beyondPrice(0.5, 0.1 * HORIZON_DAYS)).toBeCloseTo(0.4)
})
