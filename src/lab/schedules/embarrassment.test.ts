import fc from 'fast-check'
import { expect, test } from 'vitest'
import { evenFreshness } from '#policy/refresh/even-spacing.ts'
import { leastEmbarrassment } from './embarrassment.ts'

/** All ways to share out fetches among pages. */
function* shares(pages: number, fetches: number): Generator<number[]> {
  if (pages === 1) yield [fetches]
  else
    for (let own = 0; own <= fetches; own++)
      for (const rest of shares(pages - 1, fetches - own)) yield [own, ...rest]
}

test('no other way to share out the fetches leaves less stale', () => {
  const page = fc.record({
    rate: fc.double({ min: 0.01, max: 5, noNaN: true }),
    weight: fc.double({ min: 0.1, max: 5, noNaN: true }),
  })
  fc.assert(
    fc.property(fc.array(page, { minLength: 1, maxLength: 4 }), fc.nat(6), (pages, fetches) => {
      const period = 3
      const worth = (counts: ArrayLike<number>) =>
        pages.reduce(
          (sum, { rate, weight }, i) => sum + weight * evenFreshness(rate * period, counts[i]),
          0,
        )
      const changeRates = pages.map(({ rate }) => rate)
      const weights = pages.map(({ weight }) => weight)
      const counts = leastEmbarrassment({ changeRates, weights }, fetches, period)
      const best = Math.max(...[...shares(pages.length, fetches)].map(worth))
      expect(worth(counts)).toBeCloseTo(best, 10)
    }),
  )
})

test('pages that cannot embarrass get no fetch, even if some are left', () => {
  const counts = leastEmbarrassment({ changeRates: [0, 1, 1], weights: [1, 0, 1] }, 5, 1)
  expect([...counts]).toEqual([0, 0, 5])
})
