import fc from 'fast-check'
import { expect, test } from 'vitest'
import { rankMass } from './rank-mass.ts'

test('a set holds the ranks of its pages, and nothing for pages that have none', () => {
  const ranks = Float64Array.of(0.5, 0.25, 0.125, 0.125)
  expect(rankMass(ranks, Uint32Array.of(1, 3, 99))).toEqual({ mass: 0.375, share: 0.375 })
  expect(rankMass(ranks, new Uint32Array())).toEqual({ mass: 0, share: 0 })
  expect(rankMass(new Float64Array(2), Uint32Array.of(1)).share).toBeUndefined()
})

test('a naive twin agrees', () => {
  const ranks = fc.array(fc.double({ min: 0, max: 10, noNaN: true }), { maxLength: 12 })
  fc.assert(
    fc.property(ranks, fc.uniqueArray(fc.nat(15)), (ranks, held) => {
      const total = ranks.reduce((sum, rank) => sum + rank, 0)
      const naive = ranks.filter((_, url) => held.includes(url)).reduce((a, b) => a + b, 0)
      const { mass, share } = rankMass(Float64Array.from(ranks), Uint32Array.from(held))
      expect(mass).toBeCloseTo(naive, 9)
      if (total > 0) expect(share).toBeCloseTo(naive / total, 9)
    }),
  )
})
