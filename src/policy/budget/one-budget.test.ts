import { expect, test } from 'vitest'
import { Corrections } from '#learn/corrections/corrections.ts'
import { seededRandom } from '#numeric/random.ts'
import { noBids } from '../bids.ts'
import { someFacts } from '../facts/facts.ts'
import { olderThan } from '../refresh/older-than.ts'
import { offered, revealing } from './offers.test-kit.ts'
import { bidsInOneCurrency, type Offers, OneBudget, type Spending } from './one-budget.ts'
import { HORIZON_DAYS, predictionsOf } from './one-currency.ts'

const NOBODY = offered('refresh', [])

function spending(budget: number, affords = budget) {
  return {
    limits: { budget },
    affords,
    random: seededRandom(1),
    randomShare: 0,
  }
}

const estimates: Offers = {
  acquire: offered('acquire', [[1, 0.5], [2, 0.01]]), // biome-ignore format: one list
  refresh: offered('refresh', [[3, 30], [4, 4]]), // biome-ignore format: one list
  discover: revealing([[4, 3, 5], [2, 1, 100, 1]]), // biome-ignore format: one list
  worthOfLink: (_, price) => Math.max(0, 0.4 - price / 100),
}

const corrections = () => new Corrections(() => 0)

function plan(
  budget: OneBudget,
  spent: Spending,
  { prediction = estimates, learnt = corrections() } = {},
) {
  return budget.plan(bidsInOneCurrency(prediction, learnt, spent.affords), spent)
}

test('new pages, copies and links compete in one currency, and parts of one fetch add up', () => {
  const { fetches } = plan(new OneBudget(), spending(4))
  expect(fetches.map(({ url, gain }) => [url, gain])).toEqual([
    [1, 0.5 * HORIZON_DAYS],
    [2, 0.01 * HORIZON_DAYS + 0.4 * 100],
    [3, 30],
    [4, 4 + 3 * 0.4 * 5],
  ])
  expect(fetches[1]).toMatchObject({
    purpose: 'discover',
    parts: { acquire: 0.01 * HORIZON_DAYS, refresh: 0, discover: 40 },
  })
})

test('the price is what the last fetch is worth that can be afforded, and makes links worth less', () => {
  expect(plan(new OneBudget(), spending(3)).price).toBe(30)
  const { fetches, price } = plan(new OneBudget(), spending(1))
  expect(price).toBe(0.5 * HORIZON_DAYS)
  expect(fetches.map(({ url }) => url)).toEqual([1])
})

test('the budget left, not that of one plan, makes the price', () => {
  expect(plan(new OneBudget(), spending(1, 3)).price).toBe(30)
  expect(plan(new OneBudget(), spending(1, 9)).price).toBe(0)
})

test('estimates that keep disappointing are believed less', () => {
  const learnt = corrections()
  for (let i = 0; i < 500; i++) learnt.observe(1, { acquire: 0.5 }, { quality: 0.05, links: 0 })
  const { fetches } = plan(new OneBudget(), spending(4), { learnt })
  expect(fetches[0].url).not.toBe(1)
  expect(fetches.find(({ url }) => url === 1)!.expected).toBeLessThan(0.1)
})

test('predictions of a fetch are told apart by task', () => {
  expect(predictionsOf(estimates, [4, 2, 9])).toEqual([
    { refresh: 4, links: 3 },
    { acquire: 0.01, links: 1 },
    {},
  ])
})

test('a share of random fetches is part of every plan', () => {
  const acquire = offered(
    'acquire',
    Array.from({ length: 1_000 }, (_, i) => [i, 1_000 - i] as const),
  )
  const all = { ...estimates, acquire, refresh: NOBODY, discover: noBids('discover') }
  const { fetches } = plan(
    new OneBudget(),
    { ...spending(100), randomShare: 0.1 },
    { prediction: all },
  )
  const random = fetches.filter(({ probability }) => probability !== undefined)
  expect(fetches).toHaveLength(100)
  expect(random).toHaveLength(10)
  expect(random[0].probability).toBeCloseTo(10 / 910)
})

test('copies that must not grow older come first, and neither make a price nor promise quality', () => {
  const copies = { pages: Uint32Array.of(4, 5), ages: Float64Array.of(20, 30) }
  const old = olderThan(() => 10).bids(someFacts(copies))
  const spent = spending(3, 2)
  const bids = bidsInOneCurrency(estimates, corrections(), spent.affords)
  const { fetches, price } = new OneBudget().plan(bids, spent, [old])
  expect(fetches.map(({ url }) => url)).toEqual([4, 5, 1])
  expect(price).toBe(new OneBudget().plan(bids, spent).price)
  expect(fetches.map(({ expected }) => expected)).toEqual([4, 0, 0.5])
})
