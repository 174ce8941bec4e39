import { expect, test } from 'vitest'
import { Corrections } from '#learn/corrections/corrections.ts'
import { correctedBids } from './corrected-bids.ts'
import { offered } from './offers.test-kit.ts'

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
