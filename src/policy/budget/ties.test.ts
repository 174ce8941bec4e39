import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hash64, lastHash64 } from '#numeric/hash.ts'
import { seededRandom } from '#numeric/random.ts'
import { withRandomFetches } from './random-fetches.ts'
import { planFetches } from './scheduler.ts'

const hashed = (names: readonly string[]) => {
  const words = names.map((name) => {
    hash64(name)
    return [...lastHash64]
  })
  return {
    low: Uint32Array.from(words, ([low]) => low),
    high: Uint32Array.from(words, ([, high]) => high),
  }
}

/** Names in an order of their own, and what each bids, with many ties; three in a group. */
const webs = fc.uniqueArray(fc.nat(999), { minLength: 1, maxLength: 60 }).chain((names) =>
  fc.record({
    names: fc.constant(names),
    order: fc.shuffledSubarray(names, { minLength: names.length }),
  }),
)

test('a plan and its random fetches are the same URLs, whatever their numbers are', () => {
  const planOf = (names: readonly number[], seed: number, budget: number) => {
    const bids = {
      purpose: 'acquire' as const,
      urls: Uint32Array.from(names.keys()),
      gains: Float64Array.from(names, (name) => name % 3),
      why: () => '',
    }
    const quotas = [{ groups: Uint32Array.from(names, (name) => name % 7), most: 6 }]
    const limits = { budget, quotas, tieSeed: seed, hashes: hashed(names.map(String)) }
    const plan = planFetches([bids], limits)
    return withRandomFetches(plan, [bids], budget >> 1, limits, seededRandom(seed)).map(
      ({ url, gain, probability }) => ({ name: names[url], gain, probability }),
    )
  }
  fc.assert(
    fc.property(webs, fc.nat(99), fc.nat(40), ({ names, order }, seed, budget) => {
      expect(planOf(order, seed, budget)).toEqual(planOf(names, seed, budget))
    }),
  )
})
