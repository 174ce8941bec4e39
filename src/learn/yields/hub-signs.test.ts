import { expect, test } from 'vitest'
import { firstShares, SIGN_WEIGHTS } from './hub-signs.ts'

const signs = {
  sites: Uint32Array.of(0, 0, 0, 1),
  inLinks: Uint32Array.of(2, 0, 0, 5),
  children: Uint32Array.of(1, 3, 0, 0),
  below: Uint32Array.of(1, 0, 1, 0),
  isLast: Uint8Array.of(0, 0, 1, 0),
  isList: new Uint8Array(4),
}

test('weights of signs add up to 1', () => {
  const all = Object.values(SIGN_WEIGHTS).reduce((sum, weight) => sum + weight, 0)
  expect(all).toBeCloseTo(1, 9)
})

test('each sign is divided among the pages of a site; one that no page has is left out', () => {
  const weights = { any: 0.3, inLinks: 0.3, children: 0.2, below: 0.1, isLast: 0.1 }
  const shares = firstShares(signs, weights)
  expect(shares[0]).toBeCloseTo(0.3 / 3 + (0.3 * 3) / 5 + (0.2 * 1) / 4 + 0.1 / 2, 12)
  expect(shares[1]).toBeCloseTo(0.3 / 3 + (0.3 * 1) / 5 + (0.2 * 3) / 4, 12)
  expect(shares[2]).toBeCloseTo(0.3 / 3 + (0.3 * 1) / 5 + 0.1 / 2 + 0.1, 12)
  expect(shares[0] + shares[1] + shares[2]).toBeCloseTo(1, 12)
  expect(shares[3]).toBeCloseTo(0.6, 12)
})
