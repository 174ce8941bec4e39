import fc from 'fast-check'
import { expect, test } from 'vitest'
import { seededRandom } from '#numeric/random.ts'
import type { Bids } from '../bids.ts'
import { marginalGain } from './price.ts'
import { withRandomFetches } from './random-fetches.ts'
import { costOfAll, planFetches } from './scheduler.ts'

const bidsOf = (gains: readonly number[]): Bids => ({
  purpose: 'acquire',
  urls: Uint32Array.from(gains.keys()),
  gains: Float64Array.from(gains),
  why: () => '',
})
const costs = fc.array(fc.option(fc.integer({ min: 1, max: 12 }), { nil: undefined }), {
  minLength: 1,
  maxLength: 60,
})

test('a plan never costs more than its budget, whatever is rendered in it', () => {
  fc.assert(
    fc.property(costs, fc.nat(80), fc.nat(9), (cost, budget, random) => {
      const bids = bidsOf(cost.map((_, i) => (i * 7) % 13))
      const limits = { budget, costOf: (url: number) => cost[url] }
      const plan = planFetches([bids], limits)
      expect(costOfAll(plan)).toBeLessThanOrEqual(budget)
      for (const { url, renderCost } of plan) expect(renderCost).toBe(cost[url])
      const sampled = withRandomFetches(plan, [bids], random, limits, seededRandom(1))
      expect(costOfAll(sampled)).toBeLessThanOrEqual(budget)
      expect(new Set(sampled.map(({ url }) => url)).size).toBe(sampled.length)
    }),
  )
})

test('what is too dear for the rest of a budget leaves it to others', () => {
  const limits = { budget: 3, costOf: (url: number) => (url === 0 ? 5 : undefined) }
  const plan = planFetches([bidsOf([9, 8, 7, 6, 5])], limits)
  expect(plan.map(({ url }) => url)).toEqual([1, 2, 3])
})

test('the price is what the last fetch is worth that is paid for, dear ones counting for more', () => {
  fc.assert(
    fc.property(costs, fc.nat(80), (cost, affords) => {
      const gains = Float64Array.from(cost, (_, i) => (i * 11) % 17)
      const order = [...gains.keys()].sort((a, b) => gains[b] - gains[a])
      let [left, price] = [affords, 0]
      for (const place of order) {
        left -= cost[place] ?? 1
        if (left < 0) {
          price = gains[place]
          break
        }
      }
      expect(marginalGain(gains, affords, (place) => cost[place])).toBe(price)
    }),
  )
})
