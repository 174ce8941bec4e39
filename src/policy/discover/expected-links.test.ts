import { expect, test } from 'vitest'
import { linksOfRevisits } from './expected-links.ts'

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
  const { links } = linksOfRevisits(two, 100)
  expect(Array.from(links)).toEqual([4, 0.5])
})

test('links have waited half as long as nobody could have seen them', () => {
  const { days } = linksOfRevisits(two, 100)
  expect(Array.from(days)).toEqual([(1 * 10 + 3 * 4) / 4 / 2, 10])
})

test('a rival that cannot be fetched now takes nothing away', () => {
  const { links } = linksOfRevisits({ ...two, rivals: Int32Array.of(-1, 99) }, 100)
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
    const { links, days: waited } = linksOfRevisits(untried, 100)
    return links[0] * waited[0]
  }
  const all = (0.5 * 100 ** 2) / 2
  expect(worth(30, 0.5)).toBeGreaterThan(0.99 * all)
  expect(worth(1, 0.5)).toBeLessThan(0.5 * all)
  expect(worth(30, 0.001)).toBeLessThan(1)
})
