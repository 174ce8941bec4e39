import { expect, test } from 'vitest'
import { Corrections } from '#learn/corrections/corrections.ts'
import { offered, revealing } from './offers.test-kit.ts'
import {
  atLeast,
  beyondPrice,
  corrected,
  correctedBids,
  HORIZON_DAYS,
  ofCopies,
  overHorizon,
  repriced,
} from './one-currency.ts'

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

test('a bid may ask for so many prices, and is no less than it was', () => {
  const bids = { ...offered('refresh', [[3, 0.5], [4, 9]]), leastPrices: Float64Array.of(2, 1) } // biome-ignore format: one list
  expect([...atLeast(bids, 3).gains]).toEqual([6, 9])
  expect([...atLeast(bids, 0).gains]).toEqual([0.5, 9])
  const others = offered('refresh', [[3, 0.5]])
  expect(atLeast(others, 3)).toBe(others)
})

test('links that have waited longer, and links worth more, are bid more for', () => {
  const bids = revealing([[1, 2, 1], [2, 2, 10], [3, 2, 10]]) // biome-ignore format: one list
  const { gains } = repriced(bids, (url) => (url === 3 ? 0.5 : 0.1))
  expect(Array.from(gains)).toEqual([0.2, 2, 10])
})

test('bids that reveal nothing keep their gains at any price', () => {
  const bids = offered('discover', [[3, 0.5]])
  expect(repriced(bids, () => 9)).toBe(bids)
})

test('without first fetches, the others keep what they reveal and why', () => {
  const bids = ofCopies(revealing([[7, 2, 1], [8, 4, 1, 1], [9, 3, 1]])) // biome-ignore format: one list
  expect([...bids.urls]).toEqual([7, 9])
  expect([...bids.reveals!.links]).toEqual([2, 3])
  expect(bids.why(1)).toBe('3 links')
})

test('a link whose page is not worth its own fetch is worth nothing', () => {
  expect(beyondPrice(0.5, 0.6 * HORIZON_DAYS)).toBe(0)
  expect(beyondPrice(0.5, 0.1 * HORIZON_DAYS)).toBeCloseTo(0.4)
})

/** Has seen new pages bring a tenth of what was predicted. */
function disappointed(isExempt: { readonly acquire?: boolean }): Corrections {
  const corrections = new Corrections(() => 0).exempting(isExempt)
  for (let fetch = 0; fetch < 200; fetch++)
    corrections.observe(fetch, { acquire: 1 }, { quality: 0.1, links: 0 })
  return corrections
}

test('what was predicted of pages fetched before is corrected as bids for new ones are', () => {
  const corrections = disappointed({})
  const bids = correctedBids(corrections, 'acquire', offered('acquire', [[7, 1]]))
  expect(bids.gains[0]).toBeCloseTo(0.1, 2)
  expect(corrections.corrected('acquire', 7, 1)).toBe(bids.gains[0])
})

test('bids that are no quality stand as they are, and so do predictions of earlier ones', () => {
  const corrections = disappointed({ acquire: true })
  expect(correctedBids(corrections, 'acquire', offered('acquire', [[7, 1]])).gains[0]).toBe(1)
  expect(corrections.corrected('acquire', 7, 1)).toBe(1)
})
