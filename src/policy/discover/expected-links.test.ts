import { expect, test } from 'vitest'
import { linksOfFirstFetches, linksOfRevisits } from './expected-links.ts'

const MISSED = { horizonDays: 100, onlyHere: 1 }
const two = {
  pages: Uint32Array.of(4, 7),
  own: Float64Array.of(1, 0.5),
  ownDays: Float64Array.of(10, 20),
  shared: Float64Array.of(3, 2),
  sharedDays: Float64Array.of(4, 4),
  rivals: Int32Array.of(7, 4),
  isUntried: new Uint8Array(2),
}

test('links that two pages show count for the one that shows more', () => {
  const { links } = linksOfRevisits(two, MISSED)
  expect(Array.from(links)).toEqual([4, 0.5])
})

test('links have waited half as long as nobody could have seen them', () => {
  const { days } = linksOfRevisits(two, MISSED)
  expect(Array.from(days)).toEqual([(1 * 10 + 3 * 4) / 4 / 2, 10])
})

test('a rival that cannot be fetched now takes nothing away', () => {
  const { links } = linksOfRevisits({ ...two, rivals: Int32Array.of(-1, 99) }, MISSED)
  expect(Array.from(links)).toEqual([4, 2.5])
})

test('a page never looked at again is worth a look for all it may show, as soon as a look would tell', () => {
  const worth = (days: number, perDay: number) => {
    const untried = {
      ...two,
      own: Float64Array.of(perDay * days, 0),
      ownDays: Float64Array.of(days, days),
      shared: new Float64Array(2),
      isUntried: Uint8Array.of(1, 0),
    }
    const { links, days: waited } = linksOfRevisits(untried, MISSED)
    return links[0] * waited[0]
  }
  const all = (0.5 * 100 ** 2) / 2
  expect(worth(30, 0.5)).toBeGreaterThan(0.99 * all)
  expect(worth(1, 0.5)).toBeLessThan(0.5 * all)
  expect(worth(30, 0.001)).toBeLessThan(1)
})

test('the more of all links are shown by several pages, the less those of one page would be missed', () => {
  const daysOf = (onlyHere: number) => {
    const missed = { ...MISSED, onlyHere }
    const untried = { ...two, isUntried: Uint8Array.of(1, 0) }
    const again = linksOfRevisits(untried, missed).days
    const [first] = linksOfFirstFetches(Uint32Array.of(3), Float64Array.of(2), missed).days
    return { first, untried: again[0], tried: again[1] }
  }
  const [all, quarter, none] = [1, 0.25, 0].map(daysOf)
  expect([all.first, quarter.first, none.first]).toEqual([100, 25, 0])
  expect(quarter.untried - none.untried).toBeCloseTo((all.untried - none.untried) / 2, 9)
  expect([quarter.tried, none.tried]).toEqual([all.tried, all.tried])
})
