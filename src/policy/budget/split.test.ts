import fc from 'fast-check'
import { expect, test } from 'vitest'
import { PURPOSES } from '../bids.ts'
import type { Parts } from './added-bids.ts'
import { type Offers, offered } from './offers.test-kit.ts'
import { SplitBudget } from './split.ts'

const HALF = { acquire: 0.5, refresh: 0.3, discover: 0.2 }
const many = (first: number): Offers => Array.from({ length: 200 }, (_, i) => [first + i, 200 - i])

function counted(plan: readonly { purpose: string }[]) {
  return PURPOSES.map((task) => plan.filter(({ purpose }) => purpose === task).length)
}

test('each task gets its share, and its best bids', () => {
  const bids = [
    offered('acquire', many(0)),
    offered('refresh', many(200)),
    offered('discover', many(400)),
  ]
  const plan = new SplitBudget(HALF).plan(bids, { budget: 100 })
  expect(counted(plan)).toEqual([50, 30, 20])
  const refreshed = plan.filter(({ purpose }) => purpose === 'refresh').map(({ url }) => url)
  expect(refreshed).toEqual(Array.from({ length: 30 }, (_, i) => 200 + i))
})

test('fractions of a fetch are carried over from plan to plan', () => {
  const bids = [
    offered('acquire', many(0)),
    offered('refresh', many(200)),
    offered('discover', many(400)),
  ]
  const split = new SplitBudget(HALF)
  const plans = Array.from({ length: 20 }, () => split.plan(bids, { budget: 3 }))
  expect(counted(plans.flat())).toEqual([30, 18, 12])
})

test('they are carried over from run to run too, so that small shares get theirs of short runs', () => {
  const shares = { acquire: 0.97, refresh: 0.02, discover: 0.01 }
  const tasks = PURPOSES.map((task, i) => offered(task, many(200 * i)))
  const plans = []
  let owed: Parts | undefined
  for (let run = 0; run < 100; run++) {
    const split = new SplitBudget(shares, owed)
    plans.push(...split.plan(tasks, { budget: 10 }))
    owed = split.owed
  }
  expect(counted(plans)).toEqual([970, 20, 10])
})

test('what a task cannot use flows to the others by their shares', () => {
  const bids = [
    offered('acquire', [[1, 5]]),
    offered('refresh', many(200)),
    offered('discover', many(400)),
  ]
  const plan = new SplitBudget(HALF).plan(bids, { budget: 101 })
  expect(counted(plan)).toEqual([1, 60, 40])
})

test('a task that had nothing to do for long does not catch up afterwards', () => {
  const split = new SplitBudget(HALF)
  const idle = [offered('refresh', many(200)), offered('discover', many(400))]
  for (let turn = 0; turn < 10; turn++) split.plan(idle, { budget: 50 })
  const busy = [offered('acquire', many(0)), ...idle]
  const [acquired] = counted(split.plan(busy, { budget: 100 }))
  expect(acquired).toBeGreaterThanOrEqual(49)
  expect(acquired).toBeLessThanOrEqual(52)
})

test('no URL twice, no bid of 0, never more than the budget, and nothing left undone', () => {
  const offers = fc.uniqueArray(fc.tuple(fc.nat(40), fc.nat(3)), { selector: ([url]) => url })
  fc.assert(
    fc.property(offers, offers, offers, fc.nat(60), (a, b, c, budget) => {
      const bids = [offered('acquire', a), offered('refresh', b), offered('discover', c)]
      const plan = new SplitBudget(HALF).plan(bids, { budget })
      const wanted = new Set([...a, ...b, ...c].filter(([, gain]) => gain > 0).map(([url]) => url))
      const urls = plan.map(({ url }) => url)
      expect(new Set(urls).size).toBe(urls.length)
      expect(urls.every((url) => wanted.has(url))).toBe(true)
      expect(urls.length).toBe(Math.min(budget, wanted.size))
    }),
  )
})

test('what is left to gain is what the next plan by these shares expects, and asking changes nothing', () => {
  fc.assert(
    fc.property(fc.nat(20), fc.nat(60), (before, affords) => {
      const split = new SplitBudget(HALF)
      const bids = PURPOSES.map((task, i) => offered(task, many(200 * i).slice(0, 15)))
      split.plan(bids, { budget: before })
      const { owed } = split
      const outlook = split.outlook(bids, affords)
      expect(split.owed).toEqual(owed)
      const plan = split.plan(bids, { budget: affords })
      expect(outlook.fetches).toBe(plan.length)
      expect(outlook.gain).toBe(plan.reduce((sum, { expected }) => sum + expected, 0))
    }),
  )
})

test('quotas hold over all tasks together', () => {
  const quotas = [{ groups: new Uint32Array(600), most: 7 }]
  const bids = [offered('acquire', many(0)), offered('refresh', many(200))]
  expect(new SplitBudget(HALF).plan(bids, { budget: 100, quotas })).toHaveLength(7)
})

test('a task without a share gets only what the others cannot use, in every plan', () => {
  const parts = fc.constantFrom([0.5, 0.5], [0.9, 0.1], [0.7, 0.3], [0.97, 0.03], [0.33, 0.67])
  const size = fc.nat(12)
  const plans = fc.array(fc.tuple(size, size, size, fc.nat(20)), { minLength: 1, maxLength: 6 })
  fc.assert(
    fc.property(fc.nat(2), parts, plans, (without, [one, other], all) => {
      const shared = PURPOSES.filter((_, task) => task !== without)
      const shares = { acquire: 0, refresh: 0, discover: 0, [shared[0]]: one, [shared[1]]: other }
      const split = new SplitBudget(shares)
      for (const [a, b, c, budget] of all) {
        const sizes = [a, b, c]
        const bids = PURPOSES.map((task, i) => offered(task, many(200 * i).slice(0, sizes[i])))
        const used = sizes.reduce((sum, count, task) => (task === without ? sum : sum + count), 0)
        const left = Math.max(0, Math.min(sizes[without], budget - used))
        expect(counted(split.plan(bids, { budget }))[without]).toBe(left)
      }
    }),
  )
})

test('no task is ever owed two fetches, or has had two too many', () => {
  const size = fc.nat(12)
  const plans = fc.array(fc.tuple(size, size, size, fc.nat(20)), { maxLength: 20 })
  fc.assert(
    fc.property(fc.nat(99), fc.nat(99), plans, (one, other, all) => {
      const total = one + other + 1
      const shares = { acquire: one / total, refresh: other / total, discover: 1 / total }
      const split = new SplitBudget(shares)
      for (const [a, b, c, budget] of all) {
        const sizes = [a, b, c]
        const bids = PURPOSES.map((task, i) => offered(task, many(200 * i).slice(0, sizes[i])))
        split.plan(bids, { budget })
        for (const task of PURPOSES) expect(Math.abs(split.owed[task])).toBeLessThan(2)
      }
    }),
  )
})
