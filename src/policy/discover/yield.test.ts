import { expect, test } from 'vitest'
import type { YieldExpectations } from '#learn/yields/yield-facts.ts'
import { HORIZON_DAYS } from '../budget/one-currency.ts'
import { linksOfFirstFetches, linksOfRevisits } from './yield.ts'

/** What revisits are expected to show, with classes and hosts by URL. */
function linksOf(
  held: YieldExpectations,
  classes = new Uint32Array(9).map((_, url) => url),
  hosts = new Uint32Array(9),
) {
  const burstFactors = new Float64Array(held.pages.length).fill(1)
  const yields = { held, burstFactors, firstLinks: new Float64Array(0), shownOnce: 1 }
  return linksOfRevisits({ yields, classes, hosts })
}

const two = {
  pages: Uint32Array.of(4, 7),
  own: Float64Array.of(1, 0.5),
  ownDays: Float32Array.of(10, 20),
  shared: Float64Array.of(3, 2),
  sharedDays: Float32Array.of(4, 4),
  rivals: Int32Array.of(7, 4),
  isUntried: new Uint8Array(2),
  isInMenus: new Uint8Array(2),
}

test('links that two pages show count for the one that shows more', () => {
  const { links } = linksOf(two)
  expect(Array.from(links)).toEqual([4, 0.5])
})

test('links have waited half as long as nobody could have seen them', () => {
  const { days } = linksOf(two)
  expect(Array.from(days)).toEqual([(1 * 10 + 3 * 4) / 4 / 2, 10])
})

test('a rival that cannot be fetched now takes nothing away', () => {
  const { links } = linksOf({ ...two, rivals: Int32Array.of(-1, 99) })
  expect(Array.from(links)).toEqual([4, 2.5])
})

test('a page never looked at again is worth a look for all it may show, as soon as a look would tell', () => {
  const worth = (days: number, perDay: number) => {
    const untried = {
      ...two,
      own: Float64Array.of(perDay * days, 0),
      ownDays: Float32Array.of(days, days),
      shared: new Float64Array(2),
      isUntried: Uint8Array.of(1, 0),
    }
    const { links, days: waited } = linksOf(untried)
    return links[0] * waited[0]
  }
  const all = (0.5 * HORIZON_DAYS ** 2) / 2
  expect(worth(30, 0.5)).toBeGreaterThan(0.99 * all)
  expect(worth(1, 0.5)).toBeLessThan(0.5 * all)
  expect(worth(30, 0.001)).toBeLessThan(1)
})

test('pages of a class that were never looked at again are tried in turn', () => {
  const all = [4, 8, 2, 6]
  const expectations = {
    pages: Uint32Array.of(0, 1, 2, 3),
    own: Float64Array.from(all),
    ownDays: new Float32Array(4).fill(10),
    shared: new Float64Array(4),
    sharedDays: new Float32Array(4),
    rivals: new Int32Array(4).fill(-1),
    isUntried: Uint8Array.of(1, 1, 1, 0),
    isInMenus: new Uint8Array(4),
  }
  const turnsOf = (classes: number[], inMenus = [0, 0, 0, 0], sites = [0, 0, 0, 0]) => {
    const { links, turns } = linksOf(
      { ...expectations, isInMenus: Uint8Array.from(inMenus) },
      Uint32Array.from(classes),
      Uint32Array.from(sites),
    )
    expect([...links]).toEqual(all) // what each is expected to show stays the same
    return [...turns]
  }
  expect(turnsOf([5, 5, 5, 5])).toEqual([2, 1, 3, 1]) // the last one was looked at
  expect(turnsOf([1, 2, 3, 4])).toEqual([1, 1, 1, 1])
  // In menus of one site all show what is new there, whatever their class.
  expect(turnsOf([1, 2, 3, 4], [1, 1, 1, 1])).toEqual([2, 1, 3, 1])
  expect(turnsOf([5, 5, 5, 5], [1, 0, 1, 1])).toEqual([1, 1, 2, 1])
  expect(turnsOf([5, 5, 5, 5], [1, 1, 1, 1], [1, 2, 3, 1])).toEqual([1, 1, 1, 1])
})

const none = { held: two, burstFactors: new Float64Array(2) }

test('links of first fetches count as far as no other page shows them', () => {
  const daysOf = (shownOnce: number) =>
    linksOfFirstFetches({ yields: { ...none, firstLinks: Float64Array.of(2), shownOnce } }).days[0]
  expect([1, 0.25, 0].map(daysOf)).toEqual([HORIZON_DAYS, HORIZON_DAYS / 4, 0])
})
