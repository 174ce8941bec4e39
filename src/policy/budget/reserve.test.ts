import fc from 'fast-check'
import { expect, test } from 'vitest'
import { evenDepth, reachOf, reservedFetches } from './reserve.ts'
import { planFetches } from './scheduler.ts'

const bidsOf = (gains: readonly number[]) => ({
  ...{ purpose: 'acquire' as const, why: () => '' },
  urls: Uint32Array.from(gains.keys()),
  gains: Float64Array.from(gains),
})
const aSize = fc.integer({ min: 1, max: 20 })

test('groups are filled evenly: one deeper, and they would hold too much', () => {
  fc.assert(
    fc.property(
      fc.array(aSize, { minLength: 1 }),
      fc.integer({ min: 1, max: 200 }),
      (sizes, most) => {
        const depth = evenDepth(new Map(sizes.entries()), most)
        const held = (at: number) => sizes.reduce((sum, size) => sum + Math.min(size, at), 0)
        expect(depth === 1 || held(depth) <= most).toBe(true)
        expect(depth >= Math.max(...sizes) || held(depth + 1) > most).toBe(true)
      },
    ),
  )
})

test('every host has its best in the reserve, though one host has all the best bids', () => {
  const hosts = Uint32Array.of(0, 0, 0, 0, 0, 0, 1, 1, 2, 2)
  const bids = [bidsOf([20, 19, 18, 17, 16, 15, 3, 4, 2, 1])]
  const list = planFetches(bids, { budget: 2 })
  const reserved = reservedFetches(bids, list, 10, { most: 6, hosts }, { budget: 2 })
  expect(list.map(({ url }) => url)).toEqual([0, 1])
  expect(reserved.map(({ url }) => url)).toEqual([2, 3, 7, 6, 8, 9])
})

test('what the budget does not afford is no reserve', () => {
  const hosts = Uint32Array.of(0, 0, 1, 1)
  const bids = [bidsOf([4, 3, 2, 1])]
  const list = planFetches(bids, { budget: 1 })
  const urls = (affords: number) =>
    reservedFetches(bids, list, affords, { most: 9, hosts }, { budget: 1 }).map(({ url }) => url)
  expect([1, 2, 3, 4].map(urls)).toEqual([[], [1], [1, 2], [1, 2, 3]])
})

test('a host that is free is no reason to pay for a rendering', () => {
  const hosts = Uint32Array.of(0, 0, 1, 1)
  const bids = [bidsOf([4, 3, 2, 1])]
  const limits = { budget: 1, costOf: (url: number) => (url === 2 ? 8 : undefined) }
  const list = planFetches(bids, limits)
  const reserved = reservedFetches(bids, list, 100, { most: 9, hosts }, limits)
  expect(reserved.map(({ url }) => url)).toEqual([1, 3])
})

test('many that nobody has tried keep no others from the reserve: so much is counted on as was proven', () => {
  const hosts = Uint32Array.of(0, 0, 0, 0, 1, 1)
  const bids = [bidsOf([9, 9, 9, 9, 2, 1])]
  const list = planFetches(bids, { budget: 1 })
  const reservedIf = (proven: number) => {
    const reserve = { most: 9, hosts, proven: [{ groups: hosts, most: [proven, 9] }] }
    return reservedFetches(bids, list, 3, reserve, { budget: 1 }).map(({ url }) => url)
  }
  expect([4, 2, 1].map(reservedIf)).toEqual([
    [1, 2, 3],
    [1, 2, 3, 4],
    [1, 2, 3, 4, 5],
  ])
})

test('hosts that a quota keeps out leave their room in the reserve to others', () => {
  const hosts = Uint32Array.of(0, 0, 0, 1, 2, 3, 4, 5)
  const strangers = { groups: Uint32Array.of(0, 0, 0, 1, 1, 1, 1, 1), most: [9, 1] }
  const bids = [bidsOf([3, 2, 1, 9, 8, 7, 6, 5])]
  const limits = { budget: 0, quotas: [strangers] }
  const reserved = reservedFetches(bids, [], 8, { most: 4, hosts }, limits)
  expect(reserved.map(({ url }) => url)).toEqual([3, 0, 1, 2])
})

test('what the list took of a quota, the reserve cannot have', () => {
  const hosts = Uint32Array.of(0, 0, 1, 1)
  const bids = [bidsOf([4, 3, 2, 1])]
  const limits = { budget: 1, quotas: [{ groups: hosts, most: 1 }] }
  const list = planFetches(bids, limits)
  const reserved = reservedFetches(bids, list, 4, { most: 9, hosts }, limits)
  expect(reserved.map(({ url }) => url)).toEqual([2])
})

test('the price is the largest at which hosts can take in time what the budget affords', () => {
  const aBid = fc.record({ host: fc.nat(3), gain: fc.nat(20) })
  fc.assert(
    fc.property(
      fc.array(aBid, { minLength: 1 }),
      fc.nat(30),
      fc.integer({ min: 1, max: 9 }),
      (all, affords, hostTakes) => {
        fc.pre(affords > 0)
        const [bids] = [bidsOf(all.map(({ gain }) => gain))]
        const hosts = Uint32Array.from(all, ({ host }) => host)
        const sentAbove = (price: number) =>
          [0, 1, 2, 3].reduce((sum, host) => {
            const open = all.filter((bid) => bid.host === host && bid.gain >= price).length
            return sum + Math.min(open, hostTakes)
          }, 0)
        const prices = all.map(({ gain }) => gain).sort((a, b) => b - a)
        const isAll = sentAbove(0) <= affords
        const price = isAll ? 0 : prices.find((gain) => sentAbove(gain) >= affords)!
        const reach = reachOf(bids, affords, {
          ...{ most: 9, hosts },
          inTime: { groups: hosts, most: hostTakes },
        })
        expect(reach).toBe(all.filter(({ gain }) => gain >= price).length)
      },
    ),
  )
})
