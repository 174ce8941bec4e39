import { expect, test } from 'vitest'
import { seededRandom } from '#numeric/random.ts'
import { offered } from './offers.test-kit.ts'
import { randomCount, withRandomFetches } from './random-fetches.ts'
import { planFetches } from './scheduler.ts'

const bids = [
  offered(
    'acquire',
    Array.from({ length: 100 }, (_, i) => [i, 100 - i] as const),
  ),
]

test('random fetches take the place of the worst, with the chance they had', () => {
  const limits = { budget: 10 }
  const plan = planFetches(bids, limits)
  const mixed = withRandomFetches(plan, bids, 2, limits, seededRandom(1))
  expect(mixed).toHaveLength(10)
  expect(mixed.slice(0, 8)).toEqual(plan.slice(0, 8))
  expect(mixed.slice(8).map(({ probability }) => probability)).toEqual([2 / 92, 2 / 92])
  expect(new Set(mixed.map(({ url }) => url)).size).toBe(10)
})

test('over many plans every URL that is not taken anyway is drawn as often as its chance says', () => {
  const limits = { budget: 10 }
  const plan = planFetches(bids, limits)
  const random = seededRandom(2)
  const drawn = new Uint32Array(100)
  const plans = 20_000
  for (let turn = 0; turn < plans; turn++)
    for (const { url, probability } of withRandomFetches(plan, bids, 2, limits, random))
      if (probability !== undefined) drawn[url]++
  const expected = (plans * 2) / 92
  for (let url = 8; url < 100; url++) {
    expect(drawn[url]).toBeGreaterThan(expected * 0.7)
    expect(drawn[url]).toBeLessThan(expected * 1.3)
  }
})

test('a plan short of its budget keeps all of its own', () => {
  const few = [offered('acquire', [[1, 1]])]
  const limits = { budget: 10 }
  const plan = planFetches(few, limits)
  expect(withRandomFetches(plan, few, 1, limits, seededRandom(1))).toEqual(plan)
})

test('full hosts are not drawn from', () => {
  const limits = { budget: 4, quotas: [{ groups: new Uint32Array(100), most: 3 }] }
  const plan = planFetches(bids, limits)
  expect(withRandomFetches(plan, bids, 2, limits, seededRandom(1))).toHaveLength(3)
})

test('full hosts are no choice: the chance of all others is the greater', () => {
  // The best 80 are of one host, which may have 8 fetches; the other 20 URLs are anybody's.
  const groups = Uint32Array.from({ length: 100 }, (_, url) => (url < 80 ? 0 : url))
  const limits = { budget: 10, quotas: [{ groups, most: 8 }] }
  const plan = planFetches(bids, limits)
  const random = seededRandom(4)
  const drawn = new Uint32Array(100)
  const plans = 2_000
  for (let turn = 0; turn < plans; turn++)
    for (const { url, probability } of withRandomFetches(plan, bids, 2, limits, random)) {
      if (probability === undefined) continue
      expect(probability).toBe(2 / 20)
      drawn[url]++
    }
  expect(drawn.subarray(0, 80).every((count) => count === 0)).toBe(true)
  for (const count of drawn.subarray(80)) expect(count / plans).toBeCloseTo(2 / 20, 1)
})

test('a small share comes out right over many plans', () => {
  const random = seededRandom(3)
  let drawn = 0
  for (let turn = 0; turn < 5_000; turn++) drawn += randomCount(10, 0.02, random)
  expect(drawn / 50_000).toBeCloseTo(0.02, 2)
})
