import { expect, test } from 'vitest'
import { linksOfRevisits } from './expected-links.ts'

const two = {
  pages: Uint32Array.of(4, 7),
  own: Float64Array.of(1, 0.5),
  ownDays: Float64Array.of(10, 20),
  shared: Float64Array.of(3, 2),
  sharedDays: Float64Array.of(4, 4),
  rivals: Int32Array.of(7, 4),
}

test('links that two pages show count for the one that shows more', () => {
  const { links } = linksOfRevisits(two)
  expect(Array.from(links)).toEqual([4, 0.5])
})

test('links have waited half as long as nobody could have seen them', () => {
  const { days } = linksOfRevisits(two)
  expect(Array.from(days)).toEqual([(1 * 10 + 3 * 4) / 4 / 2, 10])
})

test('a rival that cannot be fetched now takes nothing away', () => {
  const { links } = linksOfRevisits({ ...two, rivals: Int32Array.of(-1, 99) })
  expect(Array.from(links)).toEqual([4, 2.5])
})
